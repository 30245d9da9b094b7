import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { gameConsoleAddress, openGameConsole } from "../../../platform/reseller/game/console.ts";
import { bodyField, bodyOf } from "./asked.ts";
import { game, named, stepOf } from "./game.ts";

export const open = defineOperation({
  api: "reseller",
  command: "reseller game console",
  summary: "Open a console session of a game server: the address of its websocket, once, for a client of your own",
  routes: ["POST /services/{id}/game/console", "GET /services/{serviceId}"],
  scope: "services",
  risk: "change",
  verb: "Open console",
  target: game,
  input: z.object({ body: bodyField.optional() }),
  async run({ client, target, input }) {
    const { body } = input;
    const session = await openGameConsole(client, target.serviceId, body === undefined ? undefined : bodyOf(body));
    return {
      text: `A console session of ${named(target)} was opened. It is a websocket, which Slack cannot open: its address is for who asked alone, for a client of their own.`,
      next: [stepOf(target, "Show", "show")],
      secrets: [
        { label: "Websocket, with its token", value: gameConsoleAddress(session) },
        ...(session.origin ? [{ label: "Origin to send with it", value: session.origin }] : []),
      ],
    };
  },
  reconcile: async () => ({ is: "unsure", text: "A session that nobody saw ends by itself. Open another." }),
});
