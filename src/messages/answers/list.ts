import * as z from "#zod";
import { disambiguated } from "../../members/access/resolve.ts";
import type { Answer, Json, Step } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { InputError, wrongInput } from "../../operation/errors.ts";
import {
  type Entry,
  entriesSkipping,
  indexedKindOf,
  type TargetKind,
  unreadRows,
  unreadState,
} from "../../operation/target.ts";
import type { ApiClient } from "../../platform/http/client.ts";
import { type ApiName, nullIfRefused } from "../../platform/http/errors.ts";
import type { ListPage } from "../../platform/http/pages.ts";
import { byCharacters } from "../../process/plain-text.ts";
import { type Block, context, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { dataTables, type TableCell } from "../../views/table.ts";
import { code, count, prose, unmarked, withArticle } from "../../views/text.ts";
import { searchBlock } from "../answer-view.ts";
import { rowButton } from "./buttons.ts";
import { asEnum, filterEntries, isAll, typedState } from "./filters.ts";
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
  export: z
    .enum(["csv"])
    .optional()
    .meta({ title: "As a file", description: "All rows, in your messages with me", people: true }),
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

type ListCall<A extends ApiName> = CallContext<A> & { input: ListInput };

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
  byStatus?: (client: ApiClient<A>, query: { page: number; limit: number; status: string }) => Promise<ListPage<T>>;
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
  /** Rows whose words cannot be read, so that no filter can tell of them. */
  unread: number;
}

/**
 * One page of a kind: rows with a button each, or a table of 100 with a search to open one. Without filters it is a page from the
 * platform, in one call. With filters, or for a kind without pages of its own, it comes from the name index and shows its age. `export`
 * gives all rows as a CSV file.
 */
export async function listAnswer<A extends ApiName, T>(
  asked: ListCall<A>,
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
  const { before, after } = filterWords(call.input, shown.entries[0]?.state);
  const all: Step[] = filtered ? [{ label: `All ${many}`, command, replace: true }] : [];
  if (shown.total === 0)
    return {
      text: shown.unread > 0 ? noneReadable(shown.unread, many, after) : `There are no ${before}${many}${after}.`,
      empty: true,
      rows: [],
      next: all,
    };
  if (page > shown.pages) throw wrongInput("page", onlyPages(shown.pages), "Page");
  const amount = count(shown.total, `${before}${kind.label}`, `${before}${many}`);
  if (call.input.export) {
    const content = columnsOf(
      shown.entries,
      ({ name }) => name,
      ({ id }) => ({ Id: id }),
    );
    return { text: `${amount}${after}, as a file.`, file: { name: `${kind.noun}.csv`, content } };
  }
  const headline = `*${amount}*${after}${shown.pages > 1 ? ` · page ${page} of ${shown.pages}` : ""}`;
  const known = shown.at === null ? [] : [context(`As known ${moment(shown.at)}. Opening one reads it anew.`)];
  return {
    text: headline,
    blocks: [...filters(asked.input, shown, options), ...rowsOf(shown, headline, { ...options, open }), ...known],
    rows: shown.entries.map(({ id }) => id),
    next: [...turns(command, asked.input, shown.pages), ...all],
  };
}

function noneReadable(unread: number, many: string, after: string): string {
  const rows = unread === 1 ? "One row does" : `${unread} rows do`;
  return `Rackbell finds no ${many}${after}. ${rows} not say enough to tell, so there may be some.`;
}

/** Removes "all" from the filters. The next steps repeat the typed input, so that a channel's default does not replace it. */
function withoutAll(input: ListInput): ListInput {
  const { status, project } = input;
  return { ...input, status: isAll(status) ? undefined : status, project: isAll(project) ? undefined : project };
}

/**
 * A page from the platform's own status filter. Null when it finds nothing: the name index can tell an unknown word from an empty result.
 */
async function pageOfStatus<A extends ApiName, T>(
  call: ListCall<A>,
  { kind, byStatus }: ListOptions<A, T>,
): Promise<Shown | null> {
  const { text, status, project, sort, page, export: file } = call.input;
  if (!byStatus || status === undefined || text || project || sort || file) return null;
  const query = { page, limit: rowsPerPage, status: asEnum(status) };
  const found = await shownPage(call, kind, (client) => byStatus(client, query)).catch(nullIfRefused(400));
  return found && found.total > 0 ? found : null;
}

async function shownPage<A extends ApiName, T>(
  { client }: { client: ApiClient<A> },
  kind: TargetKind<A, T>,
  read: (client: ApiClient<A>) => Promise<ListPage<T>>,
): Promise<Shown> {
  const { rows, pagination } = await entriesSkipping(kind, client, read);
  const { total, pages } = pagination;
  return { entries: rows, total, pages: Math.max(1, pages), at: null, unread: 0 };
}

async function pageOfPlatform<A extends ApiName, T>(call: ListCall<A>, { kind }: ListOptions<A, T>): Promise<Shown> {
  return shownPage(call, kind, (client) => kind.list(client, { page: call.input.page, limit: rowsPerPage }));
}

/** The name index may be minutes old. It is read again before an answer says that there are none, or that a word is unknown. */
async function pageOfDirectory<A extends ApiName, T>(call: ListCall<A>, options: ListOptions<A, T>): Promise<Shown> {
  try {
    const shown = await pageOfKnown(call, options, { fresh: false });
    if (shown.total > 0) return shown;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  return pageOfKnown(call, options, { fresh: true });
}

async function pageOfKnown<A extends ApiName, T>(
  call: ListCall<A>,
  { kind }: ListOptions<A, T>,
  age: { fresh: boolean },
): Promise<Shown> {
  const { sort, page } = call.input;
  const listed = indexedKindOf(kind);
  const list = await call.listing(listed, age);
  const { entries, at } = list;
  const projects = async () => (listed.projects ? (await call.listing(listed.projects, age)).entries : null);
  const found = await filterEntries(entries, call.input, { states: listed.states, projects });
  if (sort && sort !== "name") found.sort((a, b) => byCharacters(a[sort], b[sort]) || byCharacters(a.name, b.name));
  const from = (page - 1) * rowsPerPage;
  return {
    entries: call.input.export ? found : found.slice(from, from + rowsPerPage),
    total: found.length,
    pages: Math.max(1, Math.ceil(found.length / rowsPerPage)),
    at,
    unread: unreadRows(list),
  };
}

/** "stopped VPSes" and " in project Staging": the filter's words before and after the noun. A status of several words comes after it. */
function filterWords(
  { text, status, project }: ListInput,
  state: string | undefined,
): { before: string; after: string } {
  // The beginning of a status is enough; the rows have the whole word.
  const typed = status === undefined ? undefined : typedState(status);
  const words = typed && prose(state?.startsWith(typed.toLowerCase()) ? state : typed, 40);
  const isOne = words && !words.includes(" ");
  const after = [
    words && !isOne && ` with the status ${words}`,
    project && ` in project ${prose(project, 80)}`,
    text && ` with “${prose(text, 80)}”`,
  ];
  return { before: isOne ? `${words} ` : "", after: after.filter((part) => part).join("") };
}

function onlyPages(pages: number): string {
  return pages === 1 ? "there is only one." : `there are only ${pages.toLocaleString("en")}.`;
}

/** Menus above a list that is long, or filterEntries already. */
function filters<A extends ApiName, T>(input: ListInput, shown: Shown, options: ListOptions<A, T>): Block[] {
  const { command, many, kind } = options;
  const { states, projects } = kind;
  const { page: _, ...kept } = input;
  const { status: wanted, project: within } = withoutAll(input);
  const isNarrowed = wanted !== undefined || within !== undefined;
  if (shown.total <= mostWithButtons && !isNarrowed) return [];
  const invocation = { command, input: kept, replace: true };
  const all = [...new Set([...(states?.all ?? []), ...shown.entries.map(({ state }) => state)])].sort();
  const choices = all.map((state) => ({ value: state, label: state }));
  const status = choiceMenu({
    placeholder: "Status",
    invocation,
    field: "status",
    choices,
    all: `All ${many}`,
    chosen: wanted,
  });
  const project = projects
    ? searchMenu({ placeholder: "Project…", invocation, field: "project", targetsOf: `${projects.noun} show` })
    : null;
  return menuRow([choices.length > 1 || wanted !== undefined ? status : null, project], filtersBlock);
}

/** The rows below their headline, which stands once: a table has it as its caption. */
function rowsOf<A extends ApiName, T>(shown: Shown, headline: string, options: ListOptions<A, T>): Block[] {
  const { open, press = "Open", mark, kind } = options;
  if (shown.total <= mostWithButtons) return [section(headline), ...shown.entries.map((entry) => row(entry, options))];
  const rows = columnsOf(shown.entries, (entry) => ({ mark: markFor(entry, mark), text: entry.name }));
  const tables = dataTables({ caption: unmarked(headline), ...rows });
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
  const about = [entry.detail && prose(entry.detail, 120), ...momentsOf(entry)].filter((part) => part);
  const project = entry.project ? ` · ${prose(entry.project, 40)}` : "";
  const text = `${markFor(entry, mark)} ${code(entry.name, 60)}${project}\n${about.join(" · ")}`;
  if (open === null || entry.state === unreadState || !pressable(entry)) return section(text);
  return section(text, rowButton(press, { command: open, target: entry.id }, entry.id));
}

function markFor({ state }: Entry, mark: (state: string) => string): string {
  return state === unreadState ? ":grey_question:" : mark(state);
}

/** The dates of an entry, such as "ordered Nov 21, 10:00 AM". Its detail text cannot state them in the reader's zone. */
function momentsOf({ columns = {} }: Entry): string[] {
  return Object.entries(columns).flatMap(([label, cell]) =>
    typeof cell === "object" && "at" in cell ? [`${label.toLowerCase()} ${moment(cell.at)}`] : [],
  );
}

/** Entries as rows; a phone shows the first two columns. Leaves out empty columns. */
function columnsOf(
  entries: Entry[],
  nameOf: (entry: Entry) => TableCell,
  more: (entry: Entry) => Record<string, TableCell> = () => ({}),
) {
  const detailed = entries.map((entry) => ({
    Name: nameOf(entry),
    Project: entry.project,
    State: entry.state,
    ...(entry.columns ?? { Details: entry.detail }),
    ...more(entry),
  }));
  const records = detailed.map((each) => new Map<string, TableCell>(Object.entries(each)));
  const columns = [...new Set(records.flatMap((record) => [...record.keys()]))].filter((column) =>
    records.some((record) => record.get(column)),
  );
  return { columns, rows: records.map((record) => columns.map((column) => record.get(column) ?? "")) };
}

function turns(command: string, input: ListInput, pages: number): Step[] {
  const kept: Record<string, Json> = {};
  for (const [name, value] of Object.entries(input)) if (value !== undefined) kept[name] = value;
  const to = (label: string, page: number) => ({ label, command, input: { ...kept, page }, replace: true });
  const steps: Step[] = [];
  if (input.page > 1) steps.push({ ...to("Back", input.page - 1), turn: "back" });
  if (input.page < pages) steps.push({ ...to("Next", input.page + 1), turn: "more" });
  return steps;
}
