import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { placeNames } from "../catalog/place-names.ts";
import { anotherSteps } from "../order/another.ts";
import { vpsCard } from "./card.ts";
import { vps } from "./vps.ts";

export const show = defineOperation({
  api: "customer",
  command: "vps show",
  summary: "Show a VPS: state, addresses, billing, and what can be done with it",
  routes: ["GET /vps/{id}", "GET /locations", "GET /products"],
  scope: "read",
  risk: "read",
  target: vps,
  input: z.object({}),
  async run(call) {
    const [placeOf, another] = await Promise.all([placeNames(call), anotherSteps(call, call.target)]);
    const card = vpsCard(call.target, placeOf);
    return { ...card, next: [...card.next, ...another] };
  },
});
