import * as z from "#zod";
import { guideForSlack, guidePageOf, guidePages } from "../../guide/guide.ts";
import { linkStep, may, mayBeOffered, notLinkedWords } from "../../members/access/access.ts";
import { hasLink, hasScope, type Links, permissionsMissing } from "../../members/identities/link.ts";
import { isAdmin } from "../../messages/admins.ts";
import { stepBlocks } from "../../messages/answers/answers.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import { nounWords } from "../../operation/nouns.ts";
import type { Operation } from "../../operation/operation.ts";
import { nounOf, type Registry, topicOf, verbWordsOf } from "../../operation/registry.ts";
import { groups, groupTitles, riskGroup } from "../../operation/risk.ts";
import { usageOf } from "../../operation/usage.ts";
import { context, markdown, paragraphs, section } from "../../views/blocks.ts";
import { code, count, listing, prose } from "../../views/text.ts";
import { defineAppOperation } from "../app-context.ts";
import { pageWords } from "../kits/list.ts";

export const help = defineAppOperation({
  command: "rackbell help",
  phrase: "Show the help",
  summary: "Show what you can do here, by your key's scopes",
  example: "/rackbell help vps",
  input: z.object({
    noun: z
      .string()
      .optional()
      .meta({ title: "Command or page", description: "Such as vps, reseller service, or approvals" }),
    page: z.number().int().min(1).optional().meta({ title: "Page of what to type" }),
  }),
  positional: "noun",
  async run({ context, actor, input }) {
    const { registry } = context;
    const links = await context.identities.links(actor.member);
    const admin = await isAdmin(context, actor.slackUser).catch(() => true);
    const offers: Offers = {
      registry,
      links,
      open: (operation) => mayBeOffered(links, operation) && (admin || !forAdmins(operation)),
    };
    const wanted = input.noun?.trim().replace(/^\//, "").replace(/\s+/g, " ").toLowerCase();
    if (!wanted || wanted === "commands") return overview(offers, notLinkedWords(context));
    const words = wanted.split(" ");
    // The most words that name something: "vps reboot" is of /vps, and "alerts mute" of the page about alerts.
    const ends = words.map((_, at) => words.slice(0, words.length - at).join(" "));
    const found = ends.map((end) => helpAbout(offers, end, input.page)).find((answer) => answer !== null);
    if (found) return found;
    const nouns = registry.nouns.map((noun) => code(noun));
    const pages = guidePages.map(({ name }) => code(name));
    return { text: `There is no help about ${code(wanted)}. Commands: ${listing(nouns)}. Pages: ${listing(pages)}.` };
  },
});

/** The help about a topic, a noun, a page of the guide, or the commands that begin so; null if there is none. */
function helpAbout(offers: Offers, name: string, page: number | undefined): Answer | null {
  const { registry } = offers;
  if (registry.topics.includes(name)) return page ? usageHelp(offers, name, page) : topicHelp(offers, name);
  if (registry.nouns.includes(name)) return subNouns(offers, name);
  const guidePage = guidePageOf(name);
  if (guidePage) return { text: `The guide: ${guidePage.title}`, blocks: [markdown(guideForSlack(guidePage))] };
  const found = [name, `rackbell ${name}`].map((command) => commandsFrom(registry, command));
  const [first] = found.filter((operations) => operations.length > 0);
  return first ? commandHelp(offers, first) : null;
}

/** The commands that are called so, begin so, or have it as a synonym. */
function commandsFrom(registry: Registry, command: string): Operation[] {
  const begun = registry.all.filter((operation) => `${operation.command} `.startsWith(`${command} `));
  return begun.length > 0 ? begun : registry.meantBy(command).map(({ operation }) => operation);
}

function commandHelp(offers: Offers, operations: Operation[]): Answer {
  const open = operations.filter(offers.open);
  const shown = (open.length > 0 ? open : operations).slice(0, perPage);
  const [only] = shown.length === 1 ? shown : [];
  const lines = [...shown.map(lineOf), ...(only ? [`For example: ${code(only.example, 200)}`] : [])];
  const topics = [...new Set(operations.map(topicOf))];
  return {
    text: lines.join("\n"),
    blocks: [...paragraphs(lines), ...withheldBlocks(offers, operations)],
    next: topics.map((topic) => ({ label: `All of /${topic}`, command: "rackbell help", input: { noun: topic } })),
  };
}

/** The commands that one member may use. */
interface Offers {
  registry: Registry;
  links: Links;
  open: (operation: Operation) => boolean;
}

const perPage = 15;

const missedWays = [
  "*In a thread:* mention me, `@Rackbell reboot web-1`. In my messages, type the same without the mention.",
  "*On any message:* choose *Act on this* in its menu.",
  "*Several machines:* `/vps reboot web-1 web-2`, or `/vps stop project=staging`.",
  "*Later:* add `at=03:00` or `in=2h` to a command. *Home* shows your day.",
];

const everyday: Step[] = [
  { label: "List machines", command: "vps list" },
  { label: "Find…", command: "rackbell search" },
  { label: "Order…", command: "order new" },
  { label: "Approvals", command: "rackbell approvals" },
  { label: "Scheduled", command: "rackbell scheduled" },
];

function overview(offers: Offers, notLinked: string): Answer {
  const { registry, links } = offers;
  const lead = hasLink(links) ? keyLine(offers) : notLinked;
  const lines = registry.nouns.flatMap((noun) => nounLine(offers, noun));
  const pages = `*Guide:* ${guidePages
    .filter(({ forOperator }) => !forOperator)
    .map(({ name }) => name)
    .join(" · ")}. Type ${code("/rackbell help approvals")} for a page.`;
  const tasks = hasLink(links) ? everyday.filter(({ command }) => isOpen(offers, command)) : [linkStep];
  return {
    text: lead,
    blocks: [
      section(lead),
      ...stepBlocks(tasks, registry.find),
      ...paragraphs(lines),
      ...paragraphs(missedWays),
      context(pages),
    ],
  };
}

function isOpen({ registry, open }: Offers, command: string): boolean {
  const operation = registry.find(command);
  return operation !== undefined && open(operation);
}

/** The commands that the member's keys allow, and the scopes or permissions that would allow the others. */
function keyLine({ registry, links, open }: Offers): string {
  const platform = registry.all.filter(({ api }) => api !== "app" && links[api] !== null);
  const allowed = platform.filter(open);
  const { withoutScope, unpermitted } = withheldAmong(links, platform);
  const missing = listing(scopesOf(withoutScope));
  if (unpermitted.length === 0 && allowed.every(({ risk }) => risk === "read"))
    return `Your key is read-only: ${count(allowed.length, "command")}. To restart or order, link a key with ${missing}.`;
  return [
    `Your keys allow ${allowed.length} of ${count(platform.length, "command")}.`,
    ...(unpermitted.length > 0
      ? [`The account does not permit you ${unpermitted.length}: ${grantWords(links, unpermitted)}`]
      : []),
    ...(withoutScope.length > 0 ? [`For the others, link a key with ${missing}.`] : []),
    ...(links.unsigned ? ["To change resold services, an admin connects the account: `/rackbell connect`."] : []),
  ].join(" ");
}

/** The operations that a member may not use: for want of a scope or a key, or because the account does not permit them any key. */
function withheldAmong(links: Links, operations: readonly Operation[]) {
  const withheld = operations.filter((operation) => !may(links, operation));
  const unpermitted = withheld.filter((operation) => operation.api !== "app" && hasScope(links, operation));
  return { withoutScope: withheld.filter((operation) => !unpermitted.includes(operation)), unpermitted };
}

function scopesOf(operations: readonly Operation[]): string[] {
  return [...new Set(operations.map(({ scope }) => code(scope ?? "read")))];
}

/** No other key helps a member whom the account does not permit something. */
function grantWords(links: Links, operations: readonly Operation[]): string {
  const missing = operations.flatMap((operation) =>
    operation.api === "app" ? [] : (permissionsMissing(links, operation) ?? []),
  );
  const names = [...new Set(missing)].map((permission) => code(permission));
  return `its owner can grant ${listing(names, "or")} in the panel.`;
}

/** One noun as a line: its title, and those of its verbs that this member may use. Empty if they may use none. */
function nounLine({ registry, open }: Offers, noun: string): string[] {
  const { title, verbs } = nounWords(noun);
  const own = registry.all.filter((operation) => nounOf(operation) === noun && open(operation));
  // The words of /reseller are topics: each has verbs of its own.
  const words = new Set(own.flatMap((operation) => [operation.command, topicOf(operation)]));
  const shown = verbs.filter((verb) => words.has(`${noun} ${verb}`));
  const more = own.length > shown.length ? " …" : "";
  return own.length === 0 ? [] : [`${code(`/${noun}`)} ${title}: ${shown.join(", ")}${more}`];
}

function subNouns(offers: Offers, noun: string): Answer {
  const topics = offers.registry.topicsOf(noun);
  const open = topics
    .map((topic) => ({ topic, verbs: offers.registry.under(topic).filter(offers.open).map(verbWordsOf) }))
    .filter(({ verbs }) => verbs.length > 0);
  if (open.length === 0)
    return { text: `Your keys allow nothing under ${code(`/${noun}`)}. It needs a reseller key.`, next: [linkStep] };
  const lead = `*/${noun}* takes one of these words, and then a verb.`;
  const lines = open.map(({ topic, verbs }) => {
    const more = verbs.length > 8 ? " …" : "";
    return `${code(`/${topic}`)} ${verbs.slice(0, 8).join(", ")}${more}`;
  });
  const next = open.map(
    ({ topic }): Step => ({ label: `/${topic}`, command: "rackbell help", input: { noun: topic } }),
  );
  return { text: lead, blocks: [section(lead), ...paragraphs(lines)], next };
}

/** One page: the verbs of a topic by group, a line a group. */
function topicHelp(offers: Offers, topic: string): Answer {
  const { registry, links, open } = offers;
  const offered = registry.under(topic).filter(open);
  const title = topic.includes(" ") ? null : nounWords(topic).title;
  const lead = `*/${topic}*${title ? ` ${title}` : ""}`;
  const lines = rowsOf(topic, offered).flatMap(([label, own]) => {
    const verbs = own.map((operation) => verbWordsOf(operation) + riskMark(operation));
    return verbs.length > 0 ? [`*${label}:* ${verbs.join(", ")}`] : [];
  });
  const marks = offered.some(({ risk }) => risk === "spend" || risk === "destroy")
    ? [context(":warning: destroys data, :moneybag: costs money. Both ask first.")]
    : [];
  const ends = offered.some(({ command }) => /^(vps|service) cancel$|^reseller service terminate$/.test(command));
  return {
    text: lead,
    blocks: [
      ...paragraphs([lead, ...lines]),
      ...(ends ? [context("You *cancel* a service of your own, and *terminate* one that you resell.")] : []),
      ...marks,
      ...withheldBlocks(offers, registry.under(topic)),
    ],
    next: [
      { label: "How to type them", command: "rackbell help", input: { noun: topic, page: 1 } },
      ...(hasLink(links) ? [] : [linkStep]),
    ],
  };
}

/** The operations by group; Rackbell's own commands by the person who may use them. */
function rowsOf(topic: string, operations: Operation[]): [label: string, own: Operation[]][] {
  if (topic === "rackbell")
    return [
      ["Everybody", operations.filter((operation) => !forAdmins(operation))],
      ["Admins", operations.filter(forAdmins)],
    ];
  return groups.map((group) => [groupTitles[group], operations.filter((operation) => riskGroup(operation) === group)]);
}

function forAdmins(operation: Operation): boolean {
  return operation.api === "app" && operation.admins === true;
}

/** The usage of each command of a topic, in pages. */
function usageHelp(offers: Offers, topic: string, page: number): Answer {
  const { registry, links, open } = offers;
  const offered = registry.under(topic).filter(open);
  const pages = Math.max(1, Math.ceil(offered.length / perPage));
  const at = Math.min(page, pages);
  const lead = `*/${topic}*${pageWords(at, pages)}`;
  const lines = offered.slice((at - 1) * perPage, at * perPage).map(lineOf);
  const to = (label: string, other: number): Step => ({
    label,
    command: "rackbell help",
    input: { noun: topic, page: other },
    replace: true,
  });
  return {
    text: lead,
    blocks: [...paragraphs([lead, ...lines]), ...withheldBlocks(offers, registry.under(topic))],
    next: [
      ...(at > 1 ? [to("Back", at - 1)] : []),
      ...(at < pages ? [to("More", at + 1)] : []),
      ...(hasLink(links) ? [] : [linkStep]),
    ],
  };
}

function lineOf(operation: Operation): string {
  return `${code(usageOf(operation), 200)}\n${prose(operation.summary, 200)}${riskMark(operation)}`;
}

/** Counts the operations that the member may not use, by what they lack. */
function withheldBlocks({ links }: Offers, operations: readonly Operation[]) {
  const { withoutScope, unpermitted } = withheldAmong(links, operations);
  const isOfReseller = withoutScope.some((one) => (one.api === "app" ? one.needs : one.api) === "reseller");
  const scopes = listing(scopesOf(withoutScope), "or");
  return [
    ...(withoutScope.length > 0
      ? [context(`${withoutScope.length} more with the scope ${scopes}${isOfReseller ? " of a reseller key" : ""}.`)]
      : []),
    ...(unpermitted.length > 0
      ? [context(`${unpermitted.length} more that the account does not permit you: ${grantWords(links, unpermitted)}`)]
      : []),
  ];
}

function riskMark({ risk }: Operation): string {
  if (risk === "destroy") return " :warning:";
  return risk === "spend" ? " :moneybag:" : "";
}
