import * as z from "zod";
import { may } from "../../access/access.ts";
import { linkStep } from "../../access/error-text.ts";
import { type GuidePage, guideForSlack, guidePageOf, guidePages } from "../../guide.ts";
import { hasLink, type Links } from "../../identities/link.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Operation } from "../../operation/operation.ts";
import { type Registry, verbWordsOf } from "../../operation/registry.ts";
import { usageOf } from "../../operation/usage.ts";
import { context, markdown, paragraphs, section } from "../../views/blocks.ts";
import { code, listing, prose } from "../../views/text.ts";
import { defineAppOperation } from "../app-operation.ts";

export const help = defineAppOperation({
  command: "rackbell help",
  summary: "Show what you can do here, by your key's scopes",
  input: z.object({
    noun: z
      .string()
      .optional()
      .meta({ title: "Command or page", description: "Such as vps, reseller service, or approvals" }),
    page: z.number().int().min(1).default(1).meta({ title: "Page" }),
  }),
  positional: "noun",
  async run({ context: { registry, access }, actor, input }) {
    const links = await access.links(actor.member);
    const wanted = input.noun?.trim().replace(/^\//, "").replace(/\s+/g, " ").toLowerCase();
    if (!wanted || wanted === "commands") return overview(registry, links);
    if (registry.topics.includes(wanted)) return topicHelp(registry, wanted, links, input.page);
    if (registry.nouns.includes(wanted)) return subNouns(registry, wanted, links);
    const page = guidePageOf(wanted);
    if (page) return guideAnswer(page);
    const nouns = registry.nouns.map((noun) => code(noun));
    const pages = guidePages.map(({ name }) => code(name));
    return { text: `There is no help about ${code(wanted)}. Commands: ${listing(nouns)}. Pages: ${listing(pages)}.` };
  },
});

const perPage = 15;

function guideAnswer(page: GuidePage): Answer {
  return { text: `The guide: ${page.title}`, blocks: [markdown(guideForSlack(page))] };
}

function overview(registry: Registry, links: Links): Answer {
  const lead = hasLink(links)
    ? "What you can do with what you have linked. Without the values that a command needs, it opens a form."
    : "You have not linked a key yet: link one first, and this shows what it can do.";
  const lines = registry.nouns.map((noun) => {
    const topics = registry.topicsOf(noun);
    return topics.length > 1 || topics[0] !== noun
      ? nounLine(noun, subNounsWithin(registry, noun, links))
      : nounLine(noun, verbsWithin(registry, noun, links));
  });
  const next = hasLink(links) ? [listVps] : [linkStep];
  return { text: lead, blocks: [section(lead), ...lines.map((line) => section(line))], next };
}

/** One noun as a line, with the verbs that this member may use. */
function nounLine(noun: string, words: string[]): string {
  const offered = words.length > 0 ? words.join(" · ") : "nothing with your key";
  return `${code(`/${noun}`)} ${offered}\nMore: ${code(noun === "rackbell" ? "/rackbell help rackbell" : `/${noun} help`)}`;
}

function verbsWithin(registry: Registry, topic: string, links: Links): string[] {
  return registry
    .under(topic)
    .filter((operation) => may(links, operation))
    .map(verbWordsOf);
}

function subNounsWithin(registry: Registry, noun: string, links: Links): string[] {
  return registry
    .topicsOf(noun)
    .filter((topic) => verbsWithin(registry, topic, links).length > 0)
    .map((topic) => topic.slice(noun.length + 1));
}

function subNouns(registry: Registry, noun: string, links: Links): Answer {
  const topics = registry.topicsOf(noun);
  const lead = `*/${noun}* is followed by one of these words, and then by what to do.`;
  const lines = topics.map((topic) => {
    const verbs = verbsWithin(registry, topic, links);
    return `${code(`/${topic}`)} ${verbs.length > 0 ? verbs.join(" · ") : "nothing with your key"}`;
  });
  const next = topics.map((topic): Step => ({ label: `/${topic}`, command: "rackbell help", input: { noun: topic } }));
  return { text: lead, blocks: [section(lead), ...paragraphs(lines)], next };
}

function topicHelp(registry: Registry, topic: string, links: Links, page: number): Answer {
  const operations = registry.under(topic);
  const offered = operations.filter((operation) => may(links, operation));
  const withheld = operations.filter((operation) => !may(links, operation));
  const pages = Math.max(1, Math.ceil(offered.length / perPage));
  const at = Math.min(page, pages);
  const lead = `*/${topic}*${pages > 1 ? ` · page ${at} of ${pages}` : ""}`;
  const lines = offered.slice((at - 1) * perPage, at * perPage).map(lineOf);
  const to = (label: string, other: number): Step => ({
    label,
    command: "rackbell help",
    input: { noun: topic, page: other },
    replace: true,
  });
  return {
    text: lead,
    blocks: [...paragraphs([lead, ...lines]), ...withheldBlocks(withheld)],
    next: [
      ...(at > 1 ? [to("◀ Back", at - 1)] : []),
      ...(at < pages ? [to("More ▶", at + 1)] : []),
      ...(hasLink(links) ? [] : [linkStep]),
    ],
  };
}

function lineOf(operation: Operation): string {
  return `${code(usageOf(operation), 200)}\n${prose(operation.summary, 200)}${riskWord(operation)}`;
}

function withheldBlocks(withheld: Operation[]) {
  if (withheld.length === 0) return [];
  const scopes = [...new Set(withheld.map(({ scope }) => code(scope ?? "read")))];
  const key = withheld.some((one) => (one.api === "app" ? one.needs : one.api) === "reseller")
    ? " of a reseller key"
    : "";
  return [context(`${withheld.length} more with the scope ${listing(scopes, "or")}${key}.`)];
}

function riskWord({ risk }: Operation): string {
  if (risk === "destroy") return " :warning: asks first";
  return risk === "spend" ? " :moneybag: asks first" : "";
}

const listVps: Step = { label: "List VPSes", command: "vps list" };
