import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { listLocations, listProducts } from "../../platform/customer/catalog.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { placeNames } from "../catalog/place-names.ts";
import { anotherSteps } from "../order/another.ts";
import { vpsCard } from "./card.ts";
import { vps } from "./vps.ts";

export const show = defineOperation({
  command: "vps show",
  summary: "Show a VPS: state, addresses, billing, and what can be done with it",
  act: readVps,
  reads: [listLocations, listProducts],
  risk: "read",
  target: vps,
  input: z.object({}),
  async run(call) {
    const [placeOf, another] = await Promise.all([placeNames(call), anotherSteps(call, call.target)]);
    const card = vpsCard(call.target, placeOf);
    return { ...card, next: [...card.next, ...another] };
  },
});
