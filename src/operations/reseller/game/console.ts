import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { gameConsoleAddress, openGameConsole } from "../../../platform/reseller/game/console.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { bodyField, parseBody } from "./fields.ts";
import { game, quotedName, stepOf } from "./game.ts";

export const open = defineOperation({
  command: "reseller game console",
  summary: "Open a console session of a game server: the address of its websocket, once, for a client of your own",
  act: openGameConsole,
  reads: [readService],
  risk: "change",
  verb: "Open console",
  target: game,
  input: z.object({ body: bodyField.optional() }),
  async run({ client, target, input }) {
    const { body } = input;
    const session = await openGameConsole(client, target.serviceId, body === undefined ? undefined : parseBody(body));
    return {
      text: `A console session of ${quotedName(target)} was opened. It is a websocket, which Slack cannot open: its address is for who asked alone, for a client of their own.`,
      next: [stepOf(target, "Show", "show")],
      secrets: [
        { label: "Websocket, with its token", value: gameConsoleAddress(session) },
        ...(session.origin ? [{ label: "Origin to send with it", value: session.origin }] : []),
      ],
    };
  },
  reconcile: async () => ({ is: "unsure", text: "A session that nobody saw ends by itself. Open another." }),
});
