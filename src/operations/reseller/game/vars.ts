import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { changeGameVars } from "../../../platform/reseller/game/server.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { code, listing } from "../../../views/text.ts";
import { parseBody, secretBodyField } from "./fields.ts";
import { game, quotedName, stepOf } from "./game.ts";

export const vars = defineOperation({
  command: "reseller game vars",
  summary: "Set variables of a game server that you sell on; many hold from its next start",
  act: changeGameVars,
  reads: [readService],
  risk: "change",
  verb: "Set variables",
  target: game,
  input: z.object({ variables: secretBodyField.meta({ title: "Variables", writeOnly: true }) }),
  async run({ client, target, input }) {
    const body = parseBody(input.variables);
    await changeGameVars(client, target.serviceId, body);
    const names = listing(Object.keys(body).map((name) => code(name)));
    return {
      text: `${quotedName(target)} took ${names}. It may need a restart until that holds.`,
      next: [stepOf(target, "Restart", "restart"), stepOf(target, "Show", "show")],
    };
  },
  reconcile: async () => ({
    is: "unsure",
    text: "`/reseller game show` tells the variables. To set them to the same again harms nothing.",
  }),
});
