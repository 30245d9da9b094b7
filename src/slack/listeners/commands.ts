import type { App } from "@slack/bolt";
import { escapeText } from "../../views/text.ts";
import { parseCommand } from "../command/parse.ts";
import { busy, needsForm } from "../dispatch.ts";
import { originOf } from "../payloads.ts";
import type { ListenerDeps } from "./listener-deps.ts";

/** Slash commands. */
export function listenToCommands(app: App, { context, dispatch, clock, memberOf, timed }: ListenerDeps): void {
  app.use(async (args) => {
    if (!("command" in args)) return args.next();
    const { command, ack } = args;
    const { user_id: user, channel_id: channel, response_url: responseUrl } = command;
    const origin = originOf({ member: memberOf(user), slackUser: user, channel, responseUrl }, clock.now());
    const parsed = parseCommand(context.registry, command.command.replace(/^\//, ""), command.text ?? "");
    if ("error" in parsed)
      return timed(() => ack({ response_type: "ephemeral", text: `:warning: ${escapeText(parsed.error)}` }));
    if ("readings" in parsed) {
      const room = dispatch.invokeOneOf(parsed, origin);
      return timed(() => (room ? ack() : ack({ response_type: "ephemeral", text: busy })));
    }
    const { invocation } = parsed;
    const operation = context.registry.find(invocation.command);
    if (operation && needsForm(operation, invocation)) {
      await timed(() => ack());
      await dispatch.invoke(invocation, origin, command.trigger_id);
      return;
    }
    // Queue it first, so that the acknowledgement itself can report a full queue.
    const room = await dispatch.invoke(invocation, origin, command.trigger_id);
    await timed(() => (room ? ack() : ack({ response_type: "ephemeral", text: busy })));
  });
}
