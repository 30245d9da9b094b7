import type { Happening, PracticeSlack } from "./slack/server.ts";

/** Troubles of the app's connection to Slack, which Socket Mode knows. */
export function connection({ faults }: PracticeSlack): Happening[] {
  const group = "Slack's connection";
  return [
    {
      id: "deaf",
      group,
      label: "The connection delivers nothing",
      press() {
        faults.deafenSocket();
        return "The open connection answers pings, and brings no command and no press. A new one works.";
      },
    },
    {
      id: "ghost",
      group,
      label: "Slack counts a dead connection",
      press() {
        faults.holdGhosts(1);
        return "Every second command or press is lost now.";
      },
    },
    {
      id: "no-ghost",
      group,
      label: "Slack drops dead connections",
      press() {
        faults.holdGhosts(0);
        return "Slack counts the living connections alone.";
      },
    },
    {
      id: "refresh",
      group,
      label: "Slack refreshes the connection",
      press() {
        faults.refreshSocket("warning");
        return "Slack said that it will end the connection soon, as it does every few hours.";
      },
    },
  ];
}
