import * as z from "zod";
import { listAnswer, listFields } from "../../notifications/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { type Entry, noTarget } from "../../operation/target.ts";
import { listLocations } from "../../platform/customer/catalog.ts";
import { listVps } from "../../platform/customer/vps.ts";
import { placeNames } from "../catalog/place-names.ts";
import { markOf } from "./card.ts";
import { vps } from "./vps.ts";

export const list = defineOperation({
  command: "vps list",
  summary: "List VPSes, filtered by status, project or text",
  act: listVps,
  reads: [listLocations],
  risk: "read",
  target: noTarget,
  input: z.object(listFields),
  positional: "text",
  run: (call) =>
    listAnswer(call, {
      ...{ kind: vps, command: "vps list", open: "vps show", many: "VPSes", mark: markOf },
      worded: async (entries) => entries.map(inPlace(await placeNames(call))),
    }),
});

/** Replaces the location's code in a row by its name. */
function inPlace(placeOf: (value: string) => string): (entry: Entry) => Entry {
  return (entry) => {
    const { Location: location } = entry.columns ?? {};
    if (typeof location !== "string" || location === "") return entry;
    const name = placeOf(location);
    return { ...entry, detail: `${entry.detail} · ${name}`, columns: { ...entry.columns, Location: name } };
  };
}
