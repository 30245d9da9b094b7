import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { type GamePower, powerGame } from "../../platform/customer/game.ts";
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
    api: "customer",
    command: `game ${action}`,
    routes: ["POST /services/{id}/game/power/{action}", "GET /services/{id}"],
    scope: "services",
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
        next: action === "stop" || action === "kill" ? [back, show] : [show],
      };
    },
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
