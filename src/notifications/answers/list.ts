import * as z from "zod";
import { disambiguated } from "../../access/resolve.ts";
import type { Answer, Json, Step } from "../../operation/answer.ts";
import { InputError } from "../../operation/errors.ts";
import type { Call } from "../../operation/operation.ts";
import type { Entry, TargetKind } from "../../operation/target.ts";
import { entriesSkipping, indexedKindOf, unreadState } from "../../operation/target.ts";
import { type ApiName, PlatformRefused } from "../../platform/http/errors.ts";
import type { Page } from "../../platform/http/pages.ts";
import type { ClientOf } from "../../platform/platform.ts";
import { type Block, context, section } from "../../views/blocks.ts";
import { csvOf } from "../../views/csv.ts";
import { moment } from "../../views/format.ts";
import { type Cell, dataTables } from "../../views/table.ts";
import { code, count, prose, withArticle } from "../../views/text.ts";
import { searchBlock } from "../answer-view.ts";
import { rowButton } from "./buttons.ts";
import { isAll, narrowed } from "./filters.ts";
import { choiceMenu, filtersBlock, menuRow, searchMenu } from "./menus.ts";

/** Inputs that lists share; each list takes those that fit. */
export const listFields = {
  text: z
    .string()
    .max(250)
    .optional()
    .meta({ title: "Text", description: "In the name, host name or address, or how the id begins" }),
  status: z.string().max(40).optional().meta({ title: "Status", description: "Such as running, stopped or suspended" }),
  project: z.string().max(80).optional().meta({ title: "Project", description: "Its name, slug or id" }),
  sort: z.enum(["name", "state", "project"]).optional().meta({ title: "Sorted by" }),
  page: z.number().int().min(1).default(1).meta({ title: "Page" }),
  export: z.enum(["csv"]).optional().meta({ title: "As a file", description: "All rows, in your messages with me" }),
};

/** For lists whose rows do not name their project: `all` leaves the channel's default project. */
export const everyProject = z
  .enum(["all"])
  .optional()
  .meta({ title: "Project", description: "all: not only the one that this channel starts in" });

export interface ListInput {
  text?: string | undefined;
  status?: string | undefined;
  project?: string | undefined;
  sort?: "name" | "state" | "project" | undefined;
  page: number;
  export?: "csv" | undefined;
}

export interface ListOptions<A extends ApiName, T> {
  kind: TargetKind<A, T>;
  /** The list's own command, for its pages. */
  command: string;
  /** The command of a row's button, labelled "Open" or `press`; null when a row cannot be opened. */
  open: string | null;
  press?: string;
  /** The rows that have that button; all by default. */
  pressable?: (entry: Entry) => boolean;
  /** The plural of the kind's label. */
  many: string;
  mark: (state: string) => string;
  /** The platform's own status filter, if it has one: a page of one status is then one call. */
  byStatus?: (client: ClientOf[A], query: { page: number; limit: number; status: string }) => Promise<Page<T>>;
  /** Rewords the shown rows where the words of their kind do not fit. */
  worded?: (entries: Entry[]) => Promise<Entry[]>;
}

/** Up to this many rows have a button each; more rows become a table. */
const mostWithButtons = 10;
const rowsPerPage = 100;

interface Shown {
  entries: Entry[];
  total: number;
  pages: number;
  /** When the name index read the rows (milliseconds); null for a page from the platform. */
  at: number | null;
}

/**
 * One page of a kind: rows with a button each, or a table of 100 with a search to open one. Without filters it is a page from the
 * platform, in one call. With filters, or for a kind without pages of its own, it comes from the name index and shows its age. `export`
 * gives all rows as a CSV file.
 */
export async function listAnswer<A extends ApiName, T, K>(
  asked: Call<A, K, ListInput>,
  options: ListOptions<A, T>,
): Promise<Answer> {
  const { many, command, kind } = options;
  const call = { ...asked, input: withoutAll(asked.input) };
  const { text, status, project, sort, page } = call.input;
  const filtered = [text, status, project].some((value) => value !== undefined);
  const fromDirectory = filtered || sort !== undefined || call.input.export !== undefined || kind.among !== undefined;
  const found =
    (await pageOfStatus(call, options)) ??
    (fromDirectory ? await pageOfDirectory(call, options) : await pageOfPlatform(call, options));
  const shown = { ...found, entries: disambiguated(found.entries) };
  // A key without that right gets rows without a button.
  const open = options.open !== null && call.may(options.open) ? options.open : null;
  if (options.worded && shown.total > 0) shown.entries = await options.worded(shown.entries);
  const about = aboutOf(call.input);
  const all: Step[] = filtered ? [{ label: `All ${many}`, command, replace: true }] : [];
  if (shown.total === 0) return { text: `There are no ${many}${about}.`, empty: true, next: all };
  if (page > shown.pages) throw new InputError([{ field: "page", message: `Page: ${onlyPages(shown.pages)}` }]);
  const amount = count(shown.total, kind.label, many);
  if (call.input.export) {
    const content = csvOf(tableOf(shown.entries, many, { ids: true }));
    return { text: `${amount}${about}, as a file.`, file: { name: `${kind.noun}.csv`, content } };
  }
  const headline = `*${amount}*${about}${shown.pages > 1 ? ` · page ${page} of ${shown.pages}` : ""}`;
  const known = shown.at === null ? [] : [context(`As known ${moment(shown.at)}. Opening one reads it anew.`)];
  return {
    text: headline,
    blocks: [
      ...filters(asked.input, shown, options),
      section(headline),
      ...rowsOf(shown, { ...options, open }),
      ...known,
    ],
    next: [...turns(command, asked.input, shown.pages), ...all],
  };
}

/** Removes "all" from the filters. The next steps repeat the typed input, so that a channel's default does not replace it. */
function withoutAll(input: ListInput): ListInput {
  const { status, project } = input;
  return { ...input, status: isAll(status) ? undefined : status, project: isAll(project) ? undefined : project };
}

/**
 * A page from the platform's own status filter. Null when it finds nothing: the name index can tell an unknown word from an empty result.
 */
async function pageOfStatus<A extends ApiName, T, K>(
  call: Call<A, K, ListInput>,
  { kind, byStatus }: ListOptions<A, T>,
): Promise<Shown | null> {
  const { text, status, project, sort, page, export: file } = call.input;
  if (!byStatus || status === undefined || text || project || sort || file) return null;
  const limit = Math.min(rowsPerPage, kind.pageSize);
  const query = { page, limit, status: status.trim().toLowerCase().replaceAll(" ", "_") };
  const found = await shownPage(call, kind, (client) => byStatus(client, query)).catch((error: unknown) => {
    if (error instanceof PlatformRefused && error.status === 400) return null;
    throw error;
  });
  return found && found.total > 0 ? found : null;
}

async function shownPage<A extends ApiName, T>(
  { client }: { client: ClientOf[A] },
  kind: TargetKind<A, T>,
  read: (client: ClientOf[A]) => Promise<Page<T>>,
): Promise<Shown> {
  const { rows, pagination } = await entriesSkipping(kind, client, read);
  const { total, pages } = pagination;
  return { entries: rows, total, pages: Math.max(1, pages), at: null };
}

async function pageOfPlatform<A extends ApiName, T, K>(
  call: Call<A, K, ListInput>,
  { kind }: ListOptions<A, T>,
): Promise<Shown> {
  const limit = Math.min(rowsPerPage, kind.pageSize);
  return shownPage(call, kind, (client) => kind.list(client, { page: call.input.page, limit }));
}

/** The name index may be minutes old. It is read again before an answer says that there are none, or that a word is unknown. */
async function pageOfDirectory<A extends ApiName, T, K>(
  call: Call<A, K, ListInput>,
  options: ListOptions<A, T>,
): Promise<Shown> {
  try {
    const shown = await pageOfKnown(call, options, { fresh: false });
    if (shown.total > 0) return shown;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  return pageOfKnown(call, options, { fresh: true });
}

async function pageOfKnown<A extends ApiName, T, K>(
  call: Call<A, K, ListInput>,
  { kind }: ListOptions<A, T>,
  age: { fresh: boolean },
): Promise<Shown> {
  const { sort, page } = call.input;
  const listed = indexedKindOf(kind);
  const { entries, at } = await call.listing(listed, age);
  const projects = async () => (listed.projects ? (await call.listing(listed.projects, age)).entries : null);
  const found = await narrowed(entries, call.input, { states: listed.states, projects });
  if (sort && sort !== "name") found.sort((a, b) => a[sort].localeCompare(b[sort]) || a.name.localeCompare(b.name));
  const from = (page - 1) * rowsPerPage;
  return {
    entries: call.input.export ? found : found.slice(from, from + rowsPerPage),
    total: found.length,
    pages: Math.max(1, Math.ceil(found.length / rowsPerPage)),
    at,
  };
}

function aboutOf({ text, status, project }: ListInput): string {
  const parts = [
    text && `“${prose(text, 80)}”`,
    status && prose(status, 40),
    project && `project ${prose(project, 80)}`,
  ].filter((part) => part);
  return parts.length > 0 ? ` for ${parts.join(", ")}` : "";
}

function onlyPages(pages: number): string {
  return pages === 1 ? "there is only one." : `there are only ${pages.toLocaleString("en")}.`;
}

/** Menus above a list that is long, or narrowed already. */
function filters<A extends ApiName, T>(input: ListInput, shown: Shown, options: ListOptions<A, T>): Block[] {
  const { command, many, kind } = options;
  const { states = [], projects } = kind;
  const { page: _, ...kept } = input;
  const { status: wanted, project: within } = withoutAll(input);
  const isNarrowed = wanted !== undefined || within !== undefined;
  if (shown.total <= mostWithButtons && !isNarrowed) return [];
  const invocation = { command, input: kept, replace: true };
  const all = [...new Set([...states, ...shown.entries.map(({ state }) => state)])].sort();
  const choices = all.map((state) => ({ value: state, label: state }));
  const status = choiceMenu({
    ...{ placeholder: "Status", invocation, field: "status", choices, all: `All ${many}` },
    chosen: wanted,
  });
  const project = projects
    ? searchMenu({ placeholder: "Project…", invocation, field: "project", targetsOf: `${projects.noun} show` })
    : null;
  return menuRow([choices.length > 1 || wanted !== undefined ? status : null, project], filtersBlock);
}

function rowsOf<A extends ApiName, T>(shown: Shown, options: ListOptions<A, T>): Block[] {
  const { open, press = "Open", many, kind } = options;
  if (shown.total <= mostWithButtons) return shown.entries.map((entry) => row(entry, options));
  const tables = dataTables(tableOf(shown.entries, many, { ids: false }));
  if (open === null) return tables;
  const word = press.replace(/…$/, "");
  const search = searchMenu({
    placeholder: `${word} ${withArticle(kind.label)}…`,
    invocation: { command: open, input: {} },
    field: null,
    targetsOf: open,
  });
  return [...tables, ...menuRow([search], searchBlock)];
}

function row<A extends ApiName, T>(
  entry: Entry,
  { open, mark, press = "Open", pressable = () => true }: ListOptions<A, T>,
): Block {
  const about = [
    entry.detail && prose(entry.detail, 120),
    ...momentsOf(entry),
    entry.project && prose(entry.project, 40),
  ].filter((part) => part);
  const text = `${entry.state === unreadState ? ":grey_question:" : mark(entry.state)} ${code(entry.name, 60)}\n${about.join(" · ")}`;
  if (open === null || entry.state === unreadState || !pressable(entry)) return section(text);
  return section(text, rowButton(press, { command: open, target: entry.id }, entry.id));
}

/** The dates of an entry, such as "ordered Nov 21, 10:00 AM". Its detail text cannot state them in the reader's zone. */
function momentsOf({ columns = {} }: Entry): string[] {
  return Object.entries(columns).flatMap(([label, cell]) =>
    typeof cell === "object" && "at" in cell ? [`${label.toLowerCase()} ${moment(cell.at)}`] : [],
  );
}

/** Entries as rows of a table; leaves out empty columns. */
function tableOf(entries: Entry[], caption: string, { ids }: { ids: boolean }) {
  const detailed = entries.map((entry) => ({
    Name: entry.name,
    State: entry.state,
    ...(entry.columns ?? { Details: entry.detail }),
    Project: entry.project,
    ...(ids ? { Id: entry.id } : {}),
  }));
  const records = detailed.map((each) => new Map<string, Cell>(Object.entries(each)));
  const columns = [...new Set(records.flatMap((record) => [...record.keys()]))].filter((column) =>
    records.some((record) => record.get(column)),
  );
  return { caption, columns, rows: records.map((record) => columns.map((column) => record.get(column) ?? "")) };
}

function turns(command: string, input: ListInput, pages: number): Step[] {
  const kept: Record<string, Json> = {};
  for (const [name, value] of Object.entries(input)) if (value !== undefined) kept[name] = value;
  const to = (label: string, page: number) => ({ label, command, input: { ...kept, page }, replace: true });
  const steps: Step[] = [];
  if (input.page > 1) steps.push({ ...to("◀ Back", input.page - 1), turn: "back" });
  if (input.page < pages) steps.push({ ...to("More ▶", input.page + 1), turn: "more" });
  return steps;
}
