import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { powerGame } from "../../../platform/reseller/game/server.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { game, quotedName, stepOf, writtenAnswer } from "./game.ts";

function gamePower(action: string, words: { summary: string; outcome: string; interrupts?: string }) {
  const { outcome, ...others } = words;
  return defineOperation({
    command: `reseller game ${action}`,
    act: powerGame,
    reads: [readService],
    risk: "change",
    verb: action.charAt(0).toUpperCase() + action.slice(1),
    target: game,
    bulk: true,
    input: z.object({}),
    ...others,
    async run({ client, target }) {
      const answered = await powerGame(client, target.serviceId, action);
      const show = stepOf(target, "Show", "show");
      const back = action === "stop" || action === "kill" ? [stepOf(target, "Start", "start")] : [];
      return { ...writtenAnswer(`${quotedName(target)} ${outcome}.`, answered, [...back, show]), endUnknown: true };
    },
    reconcile: async () => ({
      is: "unsure",
      text: `The game module names its states as it likes. \`/reseller game show\` tells how it is.`,
    }),
  });
}

export const start = gamePower("start", {
  summary: "Start a game server that you sell on",
  outcome: "is told to start",
});
export const stop = gamePower("stop", {
  summary: "Stop a game server that you sell on",
  outcome: "is told to stop",
  interrupts: "Your customer's players are thrown out, and it stays off until it is started.",
});
export const restart = gamePower("restart", {
  summary: "Restart a game server that you sell on",
  outcome: "is told to restart",
  interrupts: "Your customer's players are thrown out while it restarts.",
});
export const kill = gamePower("kill", {
  summary: "Kill a game server that does not stop; what it has not saved is lost",
  outcome: "is killed",
  interrupts: "It ends at once: your customer's players are thrown out, and what is not saved is lost.",
});
