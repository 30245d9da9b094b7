import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { placeNames } from "../catalog/place-names.ts";
import { vpsCard } from "./card.ts";
import { vps } from "./vps.ts";

export const show = defineOperation({
  api: "customer",
  command: "vps show",
  summary: "Show a VPS: state, addresses, billing, and what can be done with it",
  routes: ["GET /vps/{id}", "GET /locations"],
  scope: "read",
  risk: "read",
  target: vps,
  input: z.object({}),
  run: async (call) => vpsCard(call.target, await placeNames(call)),
});
