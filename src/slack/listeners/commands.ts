import type { App } from "@slack/bolt";
import { escapeText } from "../../views/text.ts";
import { parseCommand } from "../command/parse.ts";
import { busy, needsForm } from "../dispatch.ts";
import { originOf } from "../payloads.ts";
import type { Listening } from "./listening.ts";

/** Slash commands. */
export function listenToCommands(app: App, { context, dispatch, clock, memberOf, timed }: Listening): void {
  app.use(async (args) => {
    if (!("command" in args)) return args.next();
    const { command, ack } = args;
    const { user_id: user, channel_id: channel, response_url: responseUrl } = command;
    const origin = originOf({ member: memberOf(user), slackUser: user, channel, responseUrl }, clock.now());
    const parsed = parseCommand(context.registry, command.command.replace(/^\//, ""), command.text ?? "");
    if ("error" in parsed)
      return timed(() => ack({ response_type: "ephemeral", text: `:warning: ${escapeText(parsed.error)}` }));
    if ("readings" in parsed) {
      const taken = dispatch.invokeOneOf(parsed.readings, origin);
      return timed(() => (taken ? ack() : ack({ response_type: "ephemeral", text: busy })));
    }
    const { invocation } = parsed;
    const operation = context.registry.find(invocation.command);
    if (operation && needsForm(operation, invocation)) {
      await timed(() => ack());
      await dispatch.invoke(invocation, origin, command.trigger_id);
      return;
    }
    // Taken first: that there is no room is told with the acknowledgement itself.
    const taken = await dispatch.invoke(invocation, origin, command.trigger_id);
    await timed(() => (taken ? ack() : ack({ response_type: "ephemeral", text: busy })));
  });
}
