import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { readGame } from "../../platform/customer/game.ts";
import { context, section } from "../../views/blocks.ts";
import { jsonBlocks } from "../../views/json.ts";
import { code } from "../../views/text.ts";
import { anotherSteps } from "../order/another.ts";
import { nameOf, stateOf } from "../service/service.ts";
import { game } from "./game.ts";

export const show = defineOperation({
  api: "customer",
  command: "game show",
  summary: "Show a game server as the platform tells of it",
  routes: ["GET /services/{id}/game", "GET /services/{id}", "GET /products"],
  scope: "read",
  risk: "read",
  target: game,
  input: z.object({}),
  async run(call) {
    const { service } = call.target;
    const target = service.id;
    const found = await readGame(call.client, target);
    const text = `:video_game: *${code(nameOf(service))}* is ${stateOf(service)}`;
    const step = (label: string, command: string) => ({ label, command, target });
    return {
      text,
      blocks: [section(text), ...jsonBlocks(found), context(`Game server ${code(target)}`)],
      next: [
        step("Start", "game start"),
        step("Restart", "game restart"),
        step("Stop", "game stop"),
        step("Kill", "game kill"),
        { ...step("Refresh", "game show"), replace: true },
        ...(await anotherSteps(call, service)),
      ],
    };
  },
});
