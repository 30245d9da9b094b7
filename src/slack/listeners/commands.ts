import type { App } from "@slack/bolt";
import { escapeText } from "../../views/text.ts";
import { parseCommand } from "../command/parse.ts";
import { busy, dispatch, dispatchOneOf, needsForm } from "../dispatch.ts";
import { originOf } from "../payloads.ts";
import type { ListenerApp } from "../slack-app.ts";

/** Slash commands. */
export function listenToCommands(bolt: App, app: ListenerApp): void {
  const { registry, clock, memberOf, timed } = app;

  bolt.use(async (args) => {
    if (!("command" in args)) return args.next();
    const { command, ack } = args;
    const acknowledge = (room: boolean) =>
      timed(() => (room ? ack() : ack({ response_type: "ephemeral", text: busy })));
    const { user_id: user, channel_id: channel, response_url: responseUrl } = command;
    const origin = originOf({ member: memberOf(user), slackUser: user, channel, responseUrl }, clock.now());
    const parsed = parseCommand(registry, command.command.replace(/^\//, ""), command.text ?? "");
    if ("error" in parsed)
      return timed(() => ack({ response_type: "ephemeral", text: `:warning: ${escapeText(parsed.error)}` }));
    if ("readings" in parsed) return acknowledge(dispatchOneOf(app, parsed, origin));
    const { invocation } = parsed;
    const operation = registry.find(invocation.command);
    if (operation && needsForm(operation, invocation)) {
      await timed(() => ack());
      await dispatch(app, invocation, origin, command.trigger_id);
      return;
    }
    // Queue it first, so that the acknowledgement itself can report a full queue.
    await acknowledge(await dispatch(app, invocation, origin, command.trigger_id));
  });
}
