import type { Button } from "@slack/types";
import type { Watch } from "../../alerts/watches/watch.ts";
import type { Agent } from "../../members/identities/agents.ts";
import type { Favourite } from "../../members/resources/favourites.ts";
import type { SavedCommand } from "../../members/settings/saved-commands.ts";
import { rowButton } from "../../messages/answers/buttons.ts";
import {
  aboutOf,
  aheadDays,
  type Concern,
  concernRow,
  openOrPay,
  spread,
} from "../../operations/rackbell/attention.ts";
import { watchLine } from "../../operations/rackbell/favourites.ts";
import type { HomeKind, HomeResource } from "../../operations/rackbell/home-kinds.ts";
import { byCharacters, type PlainText } from "../../process/plain-text.ts";
import { actions, type Block, context, paragraphs, section } from "../../views/blocks.ts";
import { momentAgo, momentDay } from "../../views/format.ts";
import { code, count, prose } from "../../views/text.ts";
import type { HomeData } from "./home-data.ts";

const mostConcerns = 8;
const mostBills = 5;
const mostDue = 6;
const mostFavourites = 8;
const mostWatches = 6;
const mostSaved = 6;
const mostStates = 5;
const mostProjects = 6;

/** The resources that need attention. `known`: everything was read, so that no concern means that all is well. */
export function concernBlocks(concerns: Concern[], data: HomeData, known: boolean): Block[] {
  const undecided = data.own.filter(({ request }) => request.state === "unknown").length;
  if (concerns.length === 0 && undecided === 0) return [section(quietWords(data, known))];
  const { shown, rest } = spread(concerns, mostConcerns);
  const total = count(concerns.length, "resource needs", "resources need");
  return [
    ...(concerns.length > 0 ? [section(`:rotating_light: *${total} attention*`)] : []),
    ...(undecided > 0
      ? [section(`:grey_question: ${count(undecided, "act")} of yours without a clear answer: see *In progress*.`)]
      : []),
    ...shown.map((concern) => concernRow(concern, data.offer)),
    ...moreBlocks(rest, concerns.length),
  ];
}

function quietWords({ waiting }: HomeData, known: boolean): string {
  if (!known)
    return ":hourglass_flowing_sand: *I am reading the present state.* No resource is known to need attention.";
  return waiting.shown.length > 0
    ? ":white_check_mark: *Nothing is wrong.*"
    : ":white_check_mark: *Nothing needs your attention.*";
}

/** Buttons to the others: one for each kind, or one to all. */
function moreBlocks(rest: Concern[], total: number): Block[] {
  const command = "rackbell attention";
  const buttons = kindButtons(rest, ({ one }) => ({ command, input: { kind: one } }));
  const all = rowButton(`All ${total.toLocaleString("en")}`, { command }, "all");
  return actions(buttons.length > 4 ? [all] : buttons, "more");
}

/** A button for each kind of the resources for which there is no room. */
function kindButtons(
  rest: Pick<HomeResource, "kind">[],
  opens: (kind: HomeKind) => Parameters<typeof rowButton>[1],
): Button[] {
  return [...Map.groupBy(rest, ({ kind }) => kind)].map(([kind, all]) =>
    rowButton(`and ${count(all.length, kind.one, kind.many)}`, opens(kind), kind.one),
  );
}

/** Bills with their buttons, then renewals and ends. */
export function dueBlocks(due: HomeResource[], data: HomeData): Block[] {
  if (data.parts.length === 0) return [];
  const title = `*Due in the next ${aheadDays} days*`;
  if (due.length === 0) return [section(`${title}\nNothing is due.`)];
  const bills = due.filter(({ kind }) => kind.isBill);
  const others = due.filter(({ kind }) => !kind.isBill);
  const shown = bills.slice(0, mostBills);
  const left = bills.length - shown.length;
  return [
    section(title),
    ...shown.map((resource) => section(billWords(resource), openOrPay(resource, data.offer))),
    ...(left > 0 ? [context(`and ${count(left, "more unpaid document")}: \`/billing invoices status=unpaid\``)] : []),
    ...paragraphs(others.slice(0, mostDue).map(dueWords)),
    ...actions(
      kindButtons(others.slice(mostDue), ({ list }) => ({ command: list })),
      "more due",
    ),
  ];
}

function billWords({ entry, kind }: HomeResource): string {
  const when = entry.due ? ` · ${entry.due.what} ${momentDay(entry.due.at)}` : "";
  return `:large_orange_circle: ${code(entry.name, 60)} *${prose(entry.detail, 80)}*\n${kind.one}${when}`;
}

function dueWords({ entry, kind }: HomeResource): string {
  const when = entry.due ? `${entry.due.what} ${momentDay(entry.due.at)}` : "due";
  return `• ${code(entry.name, 60)} ${when} · ${aboutOf({ entry, kind })}`;
}

/** The member's favourites, with their states if known. */
export function favouriteBlocks(favourites: Favourite[], resources: HomeResource[]): Block[] {
  if (favourites.length === 0) return [];
  const byId = new Map(resources.map((resource) => [resource.entry.id, resource]));
  const shown = favourites.slice(0, mostFavourites);
  const left = favourites.length - shown.length;
  return [
    section("*Favourites*"),
    ...shown.map((favourite) =>
      section(
        favouriteWords(favourite, byId.get(favourite.id)),
        rowButton("Open", { command: favourite.card, target: favourite.id }, `favourite ${favourite.id}`),
      ),
    ),
    ...(left > 0 ? [context(`and ${left} more: \`/rackbell star\``)] : []),
  ];
}

function favouriteWords({ name }: Favourite, resource: HomeResource | undefined): string {
  if (!resource) return `:star: ${code(name, 60)}`;
  const { entry, kind } = resource;
  const state = entry.trouble ?? entry.state;
  return `:star: ${code(entry.name, 60)} ${prose(state, 60)} · ${aboutOf({ entry, kind })}`;
}

/** The resources that the member watches, with their last polled states. */
export function watchBlocks(watches: Watch[]): Block[] {
  if (watches.length === 0) return [];
  const lines = watches.slice(0, mostWatches).map(watchLine);
  const left = watches.length - lines.length;
  return [
    section("*Watches*", rowButton("Watches…", { command: "rackbell watch" }, "watching")),
    ...paragraphs([...lines, ...(left > 0 ? [`and ${left} more`] : [])]),
  ];
}

/** The saved commands, each with the button that shows it whole and runs it. */
export function savedBlocks(saved: SavedCommand[]): Block[] {
  if (saved.length === 0) return [];
  const shown = saved.slice(0, mostSaved);
  const left = saved.length - shown.length;
  return [
    section("*Saved commands*", rowButton("Saved commands…", { command: "rackbell saved" }, "saved")),
    ...shown.map(({ id, name, line }) =>
      section(
        `${code(name)} ${code(line, 100)}`,
        rowButton("Run…", { command: "rackbell saved", input: { name, id } }, id),
      ),
    ),
    ...(left > 0 ? paragraphs([`and ${left} more`]) : []),
  ];
}

/** The member's agents with their last use: a call that nobody expects shows here. */
export function agentList(agents: Agent[]): Block[] {
  if (agents.length === 0) return [];
  const lines = agents.map(
    ({ name, usedAt }) =>
      `:robot_face: ${code(name)} ${usedAt === null ? "never used" : `last used ${momentAgo(usedAt)}`}`,
  );
  return [section("*Agents*", rowButton("Agents…", { command: "rackbell agents" }, "agents")), ...paragraphs(lines)];
}

/** Counts per kind by state, and by project if rows name several. */
export function countBlocks(resources: HomeResource[]): Block[] {
  const counted = resources.filter(({ kind }) => kind.counted);
  if (counted.length === 0) return [];
  const lines = [...Map.groupBy(counted, ({ kind }) => kind)].map(
    ([kind, all]) =>
      `*${count(all.length, kind.one, kind.many)}*: ${tally(
        all.map(({ entry }) => entry.state),
        mostStates,
      )}`,
  );
  const projects = counted.map(({ entry }) => entry.project).filter((project) => project !== "");
  const byProject = new Set(projects).size > 1 ? [`By project: ${tally(projects, mostProjects)}`] : [];
  return paragraphs(["*Inventory*", ...lines, ...byProject]);
}

/** "12 running, 3 stopped and 2 others", the largest first. */
function tally(words: PlainText[], most: number): string {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, all]) => ({ word, amount: all.length }));
  const sorted = counts.sort((a, b) => b.amount - a.amount || byCharacters(a.word, b.word));
  const left = sorted.slice(most).reduce((sum, { amount }) => sum + amount, 0);
  const shown = sorted.slice(0, most).map(({ word, amount }) => `${amount.toLocaleString("en")} ${prose(word, 40)}`);
  return [...shown, ...(left > 0 ? [`${left.toLocaleString("en")} others`] : [])].join(" · ");
}
