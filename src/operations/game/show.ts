import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { listProducts } from "../../platform/customer/catalog.ts";
import { readGame } from "../../platform/customer/game.ts";
import { readService } from "../../platform/customer/services.ts";
import { secretsIn } from "../../secret-parts.ts";
import { context, section } from "../../views/blocks.ts";
import { jsonBlocks } from "../../views/json.ts";
import { code } from "../../views/text.ts";
import { anotherSteps } from "../order/another.ts";
import { nameOf, stateOf } from "../service/service.ts";
import { game } from "./game.ts";

export const show = defineOperation({
  command: "game show",
  summary: "Show a game server as the platform tells of it",
  act: readGame,
  reads: [readService, listProducts],
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
      secrets: secretsIn(found),
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
