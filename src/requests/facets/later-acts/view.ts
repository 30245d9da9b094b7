import { moment } from "../../../views/format.ts";
import type { Request } from "../../request.ts";

/** A sentence about the act that took the request back, and one about each other next step that was done; empty without. */
export function laterWords({ laterActs, bulk }: Pick<Request, "laterActs" | "bulk">): [back: string, done: string] {
  const back = laterActs.findLast(({ isBack }) => isBack);
  const done = laterActs.filter(({ isBack }) => !isBack);
  const others = done.map(({ by, at, title }) => ` ${by} did the next step ${moment(at)}: *${title}*.`).join("");
  if (!back) return ["", others];
  const { by, at, title } = back;
  if (!bulk) return [`${by} took this back ${moment(at)}: *${title}*.`, others];
  const targets = bulk.outcomes.length;
  const last = `the last by ${by} ${moment(at)}`;
  return [
    "",
    `${others} ${bulk.takenBack.length} of ${targets} ${bulk.takenBack.length === 1 ? "was" : "were"} taken back, ${last}.`,
  ];
}
