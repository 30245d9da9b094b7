import * as z from "#zod";
import { requireSession } from "../../members/access/access.ts";
import { knownResources, readResources, withoutRefused } from "../../members/resources/resources.ts";
import { rowButton } from "../../messages/answers/buttons.ts";
import { errorText } from "../../messages/answers/error-text.ts";
import { listFields } from "../../messages/answers/list.ts";
import { type Offer, offerTo } from "../../messages/answers/offer.ts";
import { wrongInput } from "../../operation/errors.ts";
import { byCharacters, plainly } from "../../process/plain-text.ts";
import { context as note, section } from "../../views/blocks.ts";
import { moment, momentDay } from "../../views/format.ts";
import { clip, code, count, dotted, listing, oneLine, prose } from "../../views/text.ts";
import { defineAppOperation } from "../app-context.ts";
import { beyondLast, pageWords, turns } from "../kits/list.ts";
import type { Downs } from "./home-kinds.ts";
import {
  ageBlocks,
  findDowns,
  type HomeKind,
  type HomeResource,
  homeKindNamed,
  homeKindNames,
  homeKinds,
  isAllRead,
  refusedSentences,
  resourcesIn,
} from "./home-kinds.ts";

const command = "rackbell attention";
const perPage = 10;
/** Milliseconds after which a list is read again. */
const old = 2 * 60_000;

export const attention = defineAppOperation({
  command,
  summary: "List the resources that need attention: failed, down, suspended, overdue or late",
  example: "/rackbell attention",
  verb: "Show what needs work",
  input: z.object({
    kind: z.string().max(40).optional().meta({ title: "Kind", description: "Such as VPS. Empty: all" }),
    page: listFields.page,
  }),
  positional: "kind",
  async run({ context, actor: { member }, input: { kind: typed, page }, now }) {
    const { identities, registry } = context;
    const wanted = typed === undefined ? null : kindNamed(typed);
    const { failed, refused } = await readResources(context, member, homeKinds, { olderThan: old });
    const parts = withoutRefused(await knownResources(context, member, homeKinds), refused);
    const links = await identities.links(member);
    // A member without a key, or with one that must be linked again, has no lists at all: the session refuses and says so.
    if (parts.length === 0)
      await requireSession(context, member, links.reseller && !links.customer ? "reseller" : "customer");
    const unread = failed.map((error) => errorText(error, now).text);
    const gaps = isAllRead(parts, unread) ? [] : ageBlocks(parts, unread);
    const resources = resourcesIn(parts).filter(({ kind }) => wanted === null || kind === wanted);
    const concerns = findConcerns(resources, await findDowns(context, resources), now);
    const names = wanted ?? { one: "resource", many: "resources" };
    if (concerns.length === 0) {
      const found = isAllRead(parts, unread)
        ? `No ${names.one} needs your attention.`
        : `No ${names.one} is known to need your attention, but Rackbell could not read all of them.`;
      const text = [found, ...refusedSentences(refused)].join(" ");
      return { text, empty: true, ...(gaps.length > 0 ? { blocks: [section(text), ...gaps] } : {}) };
    }
    const pages = Math.ceil(concerns.length / perPage);
    if (page > pages) return beyondLast(command, { kind: typed }, { page, pages, many: names.many });
    const total = `${count(concerns.length, names.one, names.many)} ${concerns.length === 1 ? "needs" : "need"} attention`;
    const headline = `*${total}*${pageWords(page, pages)}`;
    const offer = offerTo(links, registry);
    return {
      text: headline,
      blocks: [
        section(headline),
        ...concerns.slice((page - 1) * perPage, page * perPage).map((concern) => concernRow(concern, offer)),
        ...gaps,
        ...refusedSentences(refused).map((words) => note(words)),
      ],
      next: turns(command, { kind: typed }, page, pages),
    };
  },
});

function kindNamed(typed: string): HomeKind {
  const found = homeKindNamed(typed);
  if (found) return found;
  throw wrongInput(
    "kind",
    plainly`There is no kind “${clip(oneLine(typed), 40)}”. The kinds: ${listing([...homeKindNames])}.`,
  );
}

const marks = {
  trouble: ":red_circle:",
  down: ":red_circle:",
  overdue: ":large_orange_circle:",
  stuck: ":hourglass_flowing_sand:",
};

/** A resource that needs attention, and the button that opens it or pays it. */
export function concernRow(concern: Concern, offer: Offer) {
  const { entry, why } = concern;
  const words = {
    trouble: () => ({ state: prose(entry.trouble ?? "", 120), since: sinceWords(concern) }),
    down: () => ({ state: entry.state, since: dotted([sinceWords(concern), "no member stopped it with Rackbell"]) }),
    overdue: () => ({ state: "overdue", since: `${entry.due?.what} since ${momentDay(entry.due?.at ?? "")}` }),
    stuck: () => ({ state: "not there yet", since: `ordered ${momentDay(entry.awaitedSince ?? "")}` }),
  };
  const { state, since } = words[why]();
  const mark = isSuspended(entry) ? ":no_entry:" : marks[why];
  const about = dotted([aboutOf(concern), since]);
  return section(`${mark} ${code(entry.name, 60)}: *${state}*\n${about}`, openOrPay(concern, offer));
}

function sinceWords({ since }: Concern): string | null {
  return since === null ? null : `since ${moment(since)}`;
}

/** The kind of a resource, its price if it is a bill, and its project. */
export function aboutOf({ entry, kind }: HomeResource): string {
  const money = kind.isBill ? entry.detail : "";
  return [kind.one, money, entry.project]
    .filter((part) => part !== "")
    .map((part) => prose(part, 60))
    .join(" · ");
}

/** A Pay button if the member may pay, else one that opens the resource. */
export function openOrPay({ entry, kind }: HomeResource, offer: Offer) {
  const target = entry.id;
  if (kind.isBill && offer("billing pay")) return rowButton("Pay…", { command: "billing pay", target }, target);
  return rowButton("Open", { command: kind.card, target }, target);
}

const hour = 60 * 60_000;
const day = 24 * hour;
/** Milliseconds. A renewal waits up to a day for its payment to be booked. */
const graceMs = day;
/** Milliseconds after which an ordered service should exist. */
const stuckAfterMs = 2 * hour;
/** Concerns of each reason that are shown before more of one reason. */
const leastOfEach = 2;
/** Days that the Home tab looks ahead. */
export const aheadDays = 14;

/** A resource that needs attention, and the reason. */
export interface Concern extends HomeResource {
  why: "trouble" | "down" | "overdue" | "stuck";
  /** Since when, in milliseconds since the epoch; null if it is unknown. */
  since: number | null;
}

/** Resources that need attention: broken, down, failed, suspended, overdue or stuck, in this order; then the newest first, then by name. */
export function findConcerns(resources: HomeResource[], downs: Downs, now: number): Concern[] {
  const found = resources.flatMap((resource): Concern[] => {
    const { id } = resource.entry;
    const why = whyOf(resource, now) ?? (downs.has(id) ? "down" : null);
    return why ? [{ ...resource, why, since: downs.get(id) ?? null }] : [];
  });
  return found.sort(
    (a, b) => rankOf(a) - rankOf(b) || (b.since ?? 0) - (a.since ?? 0) || byCharacters(a.entry.name, b.entry.name),
  );
}

function whyOf(
  { entry: { trouble, due, awaitedSince }, kind }: HomeResource,
  now: number,
): Exclude<Concern["why"], "down"> | null {
  if (trouble !== undefined) return "trouble";
  const grace = due?.what === "due for payment" ? 0 : graceMs;
  if (due && due.what !== "ends" && Date.parse(due.at) < now - grace) return "overdue";
  const isStuck = awaitedSince !== undefined && Date.parse(awaitedSince) < now - stuckAfterMs;
  return kind.counted && isStuck ? "stuck" : null;
}

/** Picks `most` concerns, with some of each reason, so that a hundred failed builds hide no bill. `rest`: the others. */
export function spread(concerns: Concern[], most: number): { shown: Concern[]; rest: Concern[] } {
  const first = [...Map.groupBy(concerns, rankOf).values()].flatMap((same) => same.slice(0, leastOfEach));
  const others = concerns.filter((one) => !first.includes(one)).slice(0, Math.max(0, most - first.length));
  const chosen = new Set([...first, ...others]);
  return { shown: concerns.filter((one) => chosen.has(one)), rest: concerns.filter((one) => !chosen.has(one)) };
}

/** The worst first: a machine that broke, one that is down, what never ran, and then what money can mend. */
function rankOf({ why, entry, kind }: Concern): number {
  if (why === "trouble" && kind.power && brokenStates.includes(entry.state)) return 0;
  if (why === "trouble") return isSuspended(entry) ? 3 : 2;
  return { down: 1, overdue: 4, stuck: 5 }[why];
}

const brokenStates: readonly string[] = ["error", "orphaned"];

/** True if it is suspended and not broken. */
function isSuspended({ trouble }: HomeResource["entry"]): boolean {
  return trouble?.startsWith("suspended") ?? false;
}

/**
 * Resources that fall due in the next days, the soonest first. Overdue ones are concerns, so they are left out. An unpaid document
 * without a date counts as due now.
 */
export function dueIn(resources: HomeResource[], now: number): HomeResource[] {
  const until = now + aheadDays * day;
  return resources
    .filter((resource) => whyOf(resource, now) !== "overdue" && timeOf(resource) <= until)
    .sort((a, b) => timeOf(a) - timeOf(b) || byCharacters(a.entry.name, b.entry.name));
}

function timeOf({ entry: { due }, kind }: HomeResource): number {
  if (due) return Date.parse(due.at);
  return kind.isBill ? 0 : Number.POSITIVE_INFINITY;
}
