import type { Request } from "../../src/requests/request.ts";
import type { Practice } from "../../src/sandbox/practice.ts";

/** Of real time in which members work and everything fails, one write at least in so many milliseconds. */
const writeEveryMs = 4_000;
/** A shorter round may by chance miss a kind of act, or a wing. */
const wholeRoundMs = 30_000;
/** Under so much of what was begun may stay undecided: the platform answers again long before the last look. */
const undecidedShare = 0.25;

/** A sentence for each floor that a round is below: a round in which nothing happens breaks no promise. */
export function belowFloors(
  { practice, requests }: { practice: Practice; requests: Request[] },
  stormMs: number,
): string[] {
  const writes = practice.platform.calls().filter(({ method }) => method !== "GET");
  const wings = { reseller: writes.filter(({ path }) => path.startsWith("/reseller/")).length };
  const begun = requests.filter(({ attemptedAt, bulk }) => attemptedAt !== null && !bulk);
  const undecided = begun.filter(({ state }) => state === "undecided").length;
  const least = Math.floor(stormMs / writeEveryMs);
  const few = writes.length < least ? [`Only ${writes.length} writes were made, of ${least} at least`] : [];
  if (stormMs < wholeRoundMs) return few;
  return [
    ...few,
    ...(wings.reseller === 0 ? ["Nothing was sent to the reseller API"] : []),
    ...(wings.reseller === writes.length ? ["Nothing was sent to the customer API"] : []),
    ...(undecided > 1 && undecided > begun.length * undecidedShare
      ? [`Of ${begun.length} that were begun, ${undecided} stayed undecided`]
      : []),
  ];
}

/** Acts of members in both wings; a run of several rounds must have done each at least once. */
const kinds = [
  ...["vps snapshot", "vps password", "vps cancel", "vps reinstall", "order new", "billing pay"],
  ...["reseller service suspend", "reseller service terminate"],
];

/** Under so much of all requests may expire: members leave some alone and press late, but most presses must reach the app. */
const expiredShare = 0.6;

/** The same of a whole run, by its totals. */
export function belowFloorsOfRun(totals: Readonly<Record<string, number>>): string[] {
  const { requests = 0, "ended expired": expired = 0 } = totals;
  return [
    ...kinds.filter((kind) => !totals[`${kind} done`]).map((kind) => `No ${kind} was done in any round`),
    ...(expired > requests * expiredShare ? [`Of ${requests} requests, ${expired} expired`] : []),
  ];
}
