import type { Happening, PracticeSlack } from "./slack/server.ts";

/** Another app of the workspace, which watches machines and posts what it finds: something to use *Act on this* beside. */
export function otherTool(slack: PracticeSlack): Happening[] {
  return [
    {
      id: "alarm",
      group: "Another tool",
      label: "Raises an alert in #ops",
      press() {
        slack.postAs("watchtower", "ops", {
          text: "FIRING: 2 alerts",
          attachments: [
            {
              title: "HighLoad",
              text: "instance=`web-1:9100` load has been over 20 for 5 minutes",
              fields: [{ title: "Also", value: "worker-3.example.test does not answer", short: true }],
            },
          ],
        });
        return "The alert is in #ops. Choose “Act on this” in its menu (•••).";
      },
    },
  ];
}
