import * as z from "zod";
import { rowButton } from "../../notifications/answers/buttons.ts";
import { listFields } from "../../notifications/answers/list.ts";
import { type Offer, offerTo } from "../../notifications/answers/offer.ts";
import { knownResources, readResources } from "../../resources/resources.ts";
import { section } from "../../views/blocks.ts";
import { momentDay } from "../../views/format.ts";
import { code, count, dotted, prose } from "../../views/text.ts";
import { defineAppOperation } from "../app-context.ts";
import { beyondLast, pageWords, turns } from "../kits/turns.ts";
import { type Concern, findConcerns, isSuspended } from "./concerns.ts";
import { type HomeResource, homeKinds, resourcesIn } from "./home-kinds.ts";

const command = "rackbell attention";
const perPage = 10;
/** Milliseconds after which a list is read again. */
const old = 2 * 60_000;

export const attention = defineAppOperation({
  command,
  summary: "List the resources that need attention: failed, suspended, overdue or late",
  verb: "Show what needs work",
  input: z.object({
    kind: z.string().max(40).optional().meta({ title: "Kind", description: "Such as VPS. Empty: all" }),
    page: listFields.page,
  }),
  positional: "kind",
  async run({ context, actor: { member }, input: { kind, page }, now }) {
    const { identities, registry } = context;
    await readResources(context, member, homeKinds, { olderThan: old });
    const wanted = kind?.trim().toLowerCase();
    const concerns = findConcerns(resourcesIn(await knownResources(context, member, homeKinds)), now).filter(
      ({ sort }) => wanted === undefined || [sort.one, sort.many].some((word) => word.toLowerCase() === wanted),
    );
    const [first] = concerns;
    if (!first) return { text: `No ${kind ? prose(kind, 40) : "resource"} needs your attention.`, empty: true };
    const names = wanted === undefined ? { one: "resource", many: "resources" } : first.sort;
    const pages = Math.ceil(concerns.length / perPage);
    if (page > pages) return beyondLast(command, { kind }, { page, pages, many: names.many });
    const total = `${count(concerns.length, names.one, names.many)} ${concerns.length === 1 ? "needs" : "need"} attention`;
    const headline = `*${total}*${pageWords(page, pages)}`;
    const offer = offerTo(await identities.links(member), registry);
    return {
      text: headline,
      blocks: [
        section(headline),
        ...concerns.slice((page - 1) * perPage, page * perPage).map((concern) => concernRow(concern, offer)),
      ],
      next: turns(command, { kind }, page, pages),
    };
  },
});

const marks = { trouble: ":red_circle:", overdue: ":large_orange_circle:", stuck: ":hourglass_flowing_sand:" };

/** A resource that needs attention, and the button that opens it or pays it. */
export function concernRow(concern: Concern, offer: Offer) {
  const { entry, why } = concern;
  const words = {
    trouble: () => ({ state: prose(entry.trouble ?? "", 120), since: null }),
    overdue: () => ({ state: "overdue", since: `was ${entry.due?.what} ${momentDay(entry.due?.at ?? "")}` }),
    stuck: () => ({ state: "not there yet", since: `ordered ${momentDay(entry.awaitedSince ?? "")}` }),
  };
  const { state, since } = words[why]();
  const mark = isSuspended(entry) ? ":no_entry:" : marks[why];
  const about = dotted([aboutOf(concern), since]);
  return section(`${mark} ${code(entry.name, 60)}: *${state}*\n${about}`, openOrPay(concern, offer));
}

/** The kind of a resource, its price if it is a bill, and its project. */
export function aboutOf({ entry, sort }: HomeResource): string {
  const money = sort.isBill ? entry.detail : "";
  return [sort.one, money, entry.project]
    .filter((part) => part !== "")
    .map((part) => prose(part, 60))
    .join(" · ");
}

/** A Pay button if the member may pay, else one that opens the resource. */
export function openOrPay({ entry, sort }: HomeResource, offer: Offer) {
  const target = entry.id;
  if (sort.isBill && offer("billing pay")) return rowButton("Pay…", { command: "billing pay", target }, target);
  return rowButton("Open", { command: sort.card, target }, target);
}
