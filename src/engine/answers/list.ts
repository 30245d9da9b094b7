import type { Answer, Json, Step } from "../../operation/answer.ts";
import type { Call } from "../../operation/operation.ts";
import type { Entry, TargetKind } from "../../operation/target.ts";
import { listedOf } from "../../operation/target.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { type Block, button, context, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";
import { searchEntries } from "../resolve.ts";
import { invokePrefix, packInvocation } from "./buttons.ts";

export interface ListInput {
  text?: string | undefined;
  status?: string | undefined;
  project?: string | undefined;
  sort?: "name" | "state" | "project" | undefined;
  page: number;
}

interface ListOptions<A extends ApiName, T> {
  kind: TargetKind<A, T>;
  /** The list's own command, for its pages. */
  command: string;
  /** The command of a row's button, which opens the row unless `press` says another word; null for no button. */
  open: string | null;
  press?: string;
  many: string;
  mark: (state: string) => string;
}

const rowsPerPage = 10;

interface Shown {
  entries: Entry[];
  total: number;
  pages: number;
  at: number | null;
}

/**
 * One page of a kind. Without filters it is the platform's own page (one call); with them it rests on the directory,
 * whose age it then shows.
 */
export async function listAnswer<A extends ApiName, T, K>(
  call: Call<A, K, ListInput>,
  options: ListOptions<A, T>,
): Promise<Answer> {
  const { many, command } = options;
  const { text, status, project, sort, page } = call.input;
  const filtered = [text, status, project, sort].some((value) => value !== undefined);
  const shown = filtered ? await fromDirectory(call, options) : await fromPlatform(call, options);
  const filters = [
    text && `“${prose(text, 80)}”`,
    status && prose(status, 40),
    project && `project ${prose(project, 80)}`,
  ].filter((part) => part);
  const about = filters.length > 0 ? ` for ${filters.join(", ")}` : "";
  if (shown.total === 0) {
    return {
      text: `There are no ${many}${about}.`,
      next: filtered ? [{ label: `All ${many}`, command, replace: true }] : [],
    };
  }
  const headline = `*${shown.total.toLocaleString("en")} ${many}*${about} · page ${page} of ${shown.pages}`;
  const blocks: Block[] = [
    section(headline),
    ...shown.entries.map((entry) => row(entry, options)),
    ...(shown.at === null ? [] : [context(`As known ${moment(shown.at)}. Opening one reads it anew.`)]),
  ];
  return { text: headline, blocks, next: turns(command, call.input, shown.pages) };
}

async function fromPlatform<A extends ApiName, T, K>(
  { client, input }: Call<A, K, ListInput>,
  { kind }: ListOptions<A, T>,
): Promise<Shown> {
  const { rows, pagination } = await kind.list(client, { page: input.page, limit: rowsPerPage });
  return {
    entries: rows.map((one) => kind.entry(one)),
    total: pagination.total,
    pages: Math.max(1, pagination.pages),
    at: null,
  };
}

async function fromDirectory<A extends ApiName, T, K>(
  call: Call<A, K, ListInput>,
  { kind }: ListOptions<A, T>,
): Promise<Shown> {
  const { text, status, project, sort, page } = call.input;
  const { entries, at } = await call.listing(listedOf(kind));
  const found = searchEntries(entries, text ?? "")
    .filter((entry) => !status || entry.state.toLowerCase() === status.replaceAll("_", " ").toLowerCase())
    .filter((entry) => !project || entry.project.toLowerCase() === project.toLowerCase());
  if (sort && sort !== "name") found.sort((a, b) => a[sort].localeCompare(b[sort]) || a.name.localeCompare(b.name));
  const from = (page - 1) * rowsPerPage;
  return {
    entries: found.slice(from, from + rowsPerPage),
    total: found.length,
    pages: Math.max(1, Math.ceil(found.length / rowsPerPage)),
    at,
  };
}

function row<A extends ApiName, T>(entry: Entry, { open, mark, press = "Open" }: ListOptions<A, T>): Block {
  const about = [entry.detail && prose(entry.detail, 120), entry.project && prose(entry.project, 40)].filter(
    (part) => part,
  );
  const text = `${mark(entry.state)} ${code(entry.name, 60)}\n${about.join(" · ")}`;
  if (open === null) return section(text);
  const value = packInvocation({ command: open, target: entry.id, input: {} });
  return section(text, button(press, `${invokePrefix}${open}:${entry.id}`, value));
}

function turns(command: string, input: ListInput, pages: number): Step[] {
  const kept: Record<string, Json> = {};
  for (const [name, value] of Object.entries(input)) if (value !== undefined) kept[name] = value;
  const to = (label: string, page: number): Step => ({ label, command, input: { ...kept, page }, replace: true });
  const steps: Step[] = [];
  if (input.page > 1) steps.push(to("◀ Back", input.page - 1));
  if (input.page < pages) steps.push(to("More ▶", input.page + 1));
  return steps;
}
