import type { BoundOperation } from "../members/access/bound.ts";
import { idIn, type Target } from "../members/access/resolve.ts";
import { type ChannelDefault, readChannelDefault } from "../members/settings/channel-defaults.ts";
import { isAll } from "../messages/answers/filters.ts";
import type { Origin } from "../messages/origin.ts";
import { beforeAct, InputError, Refusal } from "../operation/errors.ts";
import { fieldsOf } from "../operation/fields.ts";
import type { Invocation, PlatformOperation } from "../operation/operation.ts";
import { type Registry, topicOf } from "../operation/registry.ts";
import { PlatformRefused } from "../platform/http/errors.ts";
import type { PlainText } from "../process/plain-text.ts";
import type { StoreApp } from "../storage/foundation.ts";
import { clip, code, listing, oneLine, prose } from "../views/text.ts";

/** An invocation after the channel's defaults were applied. */
export interface DefaultedInvocation {
  bound: BoundOperation;
  invocation: Invocation;
  /** The channel's project, if it applies. */
  within: ChannelDefault["project"];
  /** The same without the added status, which this kind of list may not know; null when none was added. */
  plainer: Pick<DefaultedInvocation, "invocation" | "note"> | null;
  /** The line under the answer about the defaults, as mrkdwn. */
  note: string | null;
  /** The member said to look in all projects, which is no input of the act. */
  everywhere: boolean;
}

/**
 * Applies the channel's default project to lists and names, and its filters to typed lists. A name behind a button was typed before, so a
 * press must not reach what the typed command was refused. A stated project, or an id, is never redirected.
 */
export async function applyChannelDefault(
  app: StoreApp,
  bound: BoundOperation,
  invocation: Invocation,
  { channel, pressed }: Pick<Origin, "channel" | "pressed">,
): Promise<DefaultedInvocation> {
  const { operation } = bound;
  const asked = withoutEverywhere(operation, invocation);
  const wide: DefaultedInvocation = {
    bound,
    invocation: asked,
    within: null,
    plainer: null,
    note: null,
    everywhere: asked !== invocation,
  };
  // A colleague's offer has fixed where its names are found.
  if (operation.api !== "customer" || channel === null || invocation.delegation !== undefined) return wide;
  if (!isList(operation) && !isName(operation, asked) && !isFiltered(operation, asked)) return wide;
  const found = await readChannelDefault(app, channel);
  if (!found) return wide;
  const filtered = pressed && !asked.typed ? asked : withFilters(operation, asked, found);
  const start = asked === invocation && !saysWhere(asked) ? startOf(bound, found.project) : null;
  const within = start?.within ?? null;
  const noteOf = (meant: Invocation) => defaultWords(within, addedWords(asked, meant)) ?? start?.unused ?? null;
  const plain = withoutStatus(filtered, asked);
  return {
    ...wide,
    bound: within ? bound.in(within) : bound,
    invocation: filtered,
    within,
    plainer: plain && { invocation: plain, note: noteOf(plain) },
    note: noteOf(filtered),
  };
}

/** Names the defaults that were added; null when there are none. */
function defaultWords(within: DefaultedInvocation["within"], filters: string[]): string | null {
  const defaults = [...(within ? [`project ${code(within.name)}`] : []), ...filters];
  if (defaults.length === 0) return null;
  return `By this channel's default: ${listing(defaults)}.${within ? " Add `project=all` to look everywhere." : ""}`;
}

/** True for a list of resources that are in projects: it takes a project. */
function isList({ risk, target, input }: PlatformOperation): boolean {
  return risk === "read" && target === null && has(input, "project");
}

function isName({ target }: PlatformOperation, { target: typed, several }: Invocation): boolean {
  const names = several && "names" in several ? several.names : [typed].filter((one) => one !== undefined);
  return target?.inProjects === true && names.some((one) => idIn(one) === null);
}

/** True when a filter, and not a name, selects resources that are in projects. */
function isFiltered({ target }: PlatformOperation, { several }: Invocation): boolean {
  return target?.inProjects === true && several !== undefined && "where" in several;
}

/** True when the member stated a project, or all of them. */
function saysWhere({ input, several }: Invocation): boolean {
  return (
    input.project !== undefined || (several !== undefined && "where" in several && several.where.project !== undefined)
  );
}

function has(input: PlatformOperation["input"], field: string): boolean {
  return fieldsOf(input).some(({ name }) => name === field);
}

/** Removes `project=all` after a name, where it only says in which projects to look. */
export function withoutEverywhere({ input: schema, target }: PlatformOperation, invocation: Invocation): Invocation {
  const { project, ...input } = invocation.input;
  if (target?.inProjects !== true || has(schema, "project") || !isAll(project)) return invocation;
  return { ...invocation, input };
}

/** The invocation for a button that asks once more, which still says to look in all projects. */
export function sayingWhere({
  invocation,
  everywhere,
}: Pick<DefaultedInvocation, "invocation" | "everywhere">): Invocation {
  return everywhere ? { ...invocation, input: { ...invocation.input, project: "all" } } : invocation;
}

/** The channel's project, or the reason why it is not used. */
function startOf(
  { actor, link }: BoundOperation,
  project: ChannelDefault["project"],
): { within: ChannelDefault["project"]; unused: string | null } {
  if (project === null) return { within: null, unused: null };
  const confined = link.api === "customer" ? link.bound : null;
  const own = actor.project ?? confined;
  if (own === null) return { within: project, unused: null };
  if (own.id === project.id) return { within: null, unused: null };
  const why = actor.project
    ? `you work in ${code(own.name)}`
    : `your key is confined to ${code(own.name)}, so it cannot see that one`;
  return { within: null, unused: `This channel's default, project ${code(project.name)}, is not used: ${why}.` };
}

function withFilters(operation: PlatformOperation, invocation: Invocation, { status, sort }: ChannelDefault) {
  if (!isList(operation)) return invocation;
  let filtered = invocation;
  for (const [field, value] of Object.entries({ status, sort })) {
    if (value === null || filtered.input[field] !== undefined || !has(operation.input, field)) continue;
    const input = { ...filtered.input, [field]: value };
    if ("input" in operation.accept(input)) filtered = { ...filtered, input };
  }
  return filtered;
}

function addedWords(before: Invocation, after: Invocation): string[] {
  const words = { status: "status", sort: "sorted by" };
  return Object.entries(words).flatMap(([field, word]) =>
    before.input[field] === after.input[field] ? [] : [`${word} ${prose(String(after.input[field]), 40)}`],
  );
}

/** The invocation without the added status; null when the member stated it, or none was added. */
function withoutStatus(filtered: Invocation, asked: Invocation): Invocation | null {
  if (filtered.input.status === asked.input.status) return null;
  const { status: _, ...input } = filtered.input;
  return { ...filtered, input };
}

/** True when a list does not know the status that the channel's default names. */
export function isUnknownStatus(error: unknown): boolean {
  return error instanceof InputError && error.fields.some(({ field }) => field === "status");
}

/** Finds the name in the channel's project alone. Other projects are searched only when the member says so. */
export async function resolveWithin(meant: DefaultedInvocation, typed: string, registry: Registry): Promise<Target> {
  const { bound, within, note, invocation } = meant;
  try {
    const target = await bound.resolve(typed, invocation.several);
    if (within === null || target.is !== "ambiguous" || !target.near) return target;
    const names = invocation.several && "names" in invocation.several ? invocation.several.names : [];
    const unknown = (target.at === undefined ? undefined : names[target.at]) ?? typed;
    throw notWithin(bound, { within, typed: unknown, registry, near: target.entries.map(({ name }) => name) });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (within !== null) throw notWithin(bound, { within, typed, registry, near: [] });
    if (note === null) throw error;
    const refusal = new Refusal(`${prose(error.message)} ${note}`);
    throw bound.operation.risk === "read" ? refusal : beforeAct(refusal);
  }
}

/** Replaces the error when the member's key cannot see the channel's project; else returns it unchanged. */
export function explainWithin(error: unknown, { invocation, within }: DefaultedInvocation): unknown {
  if (within === null || !(error instanceof PlatformRefused) || error.code !== "UNKNOWN_PROJECT") return error;
  const { command, target } = invocation;
  const way = { input: { project: "all" }, ...(target === undefined ? {} : { target }) };
  return new Refusal(
    `Your key sees no project ${code(within.name)}, which is this channel's default: it is another account's, or it is gone. Nothing was done. Add \`project=all\` to look everywhere. An admin changes the default with \`/rackbell channel\`.`,
    [{ label: "Look everywhere", command, ...way }],
  );
}

function notWithin(
  { operation }: BoundOperation,
  {
    within,
    typed,
    registry,
    near,
  }: { within: { name: PlainText }; typed: string; registry: Registry; near: readonly PlainText[] },
): Refusal {
  const { target } = operation;
  const name = clip(oneLine(typed), 100);
  const close = near.slice(0, 3).map((each) => code(each, 60));
  const meant = close.length > 0 ? ` Close to it ${close.length === 1 ? "is" : "are"} ${listing(close)}.` : "";
  const show = operation.risk === "read" ? operation : registry.find(`${topicOf(operation)} show`);
  return new Refusal(
    `There is no ${target?.label ?? "resource"} ${code(name)} in project ${code(within.name)}, this channel's default.${meant} Nothing was done. Add \`project=all\` to look everywhere.`,
    show ? [{ label: "Look everywhere", command: show.command, target: typed, input: { project: "all" } }] : [],
  );
}
