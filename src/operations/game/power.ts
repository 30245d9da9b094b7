import * as z from "zod";
import { unsure } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { type GamePower, powerGame } from "../../platform/customer/game.ts";
import { readService } from "../../platform/customer/services.ts";
import { code } from "../../views/text.ts";
import { nameOf } from "../service/service.ts";
import { game } from "./game.ts";

const told = {
  start: "is told to start",
  stop: "is told to stop",
  restart: "is told to restart",
  kill: "is killed",
} as const satisfies Record<GamePower, string>;

function gamePower(action: GamePower, words: { summary: string; interrupts?: string }) {
  return defineOperation({
    command: `game ${action}`,
    act: powerGame,
    reads: [readService],
    risk: "change",
    target: game,
    bulk: true,
    input: z.object({}),
    ...words,
    async run({ client, target: { service } }) {
      const target = service.id;
      await powerGame(client, target, action);
      const back = { label: "Start", command: "game start", target };
      const show = { label: "Show", command: "game show", target };
      return {
        text: `${code(nameOf(service))} ${told[action]}.`,
        endUnknown: true,
        next: action === "stop" || action === "kill" ? [back, show] : [show],
      };
    },
    reconcile: unsure("`/game show` lists what the game module knows of the server."),
  });
}

export const start = gamePower("start", { summary: "Start a game server" });
export const stop = gamePower("stop", {
  summary: "Stop a game server",
  interrupts: "Players are thrown out, and it stays off until it is started.",
});
export const restart = gamePower("restart", {
  summary: "Restart a game server",
  interrupts: "Players are thrown out while it restarts.",
});
export const kill = gamePower("kill", {
  summary: "Kill a game server that does not stop; what it has not saved is lost",
  interrupts: "It ends at once: players are thrown out, and what is not saved is lost.",
});
