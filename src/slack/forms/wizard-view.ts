import * as z from "zod";
import { Origin } from "../../engine/answers/origin.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Page, Said } from "../../operation/wizard.ts";
import { button, plain, section, type View } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { limits } from "../../views/limits.ts";

export const pageCallback = "page";
/** Action ids of buttons within a page begin with this. */
export const pagePrefix = "page:";

/** What a page carries with it: the draft's id, never what is in it. */
const PageMemory = z.object({ command: z.string(), origin: Origin, draft: z.string(), page: z.string() });
export type PageMemory = z.infer<typeof PageMemory>;

export function readPageMemory(text: string): PageMemory | null {
  try {
    const parsed = PageMemory.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The button that goes on with an earlier draft. */
export const resumeVerb = "resume";

export function pageView(
  operation: Operation,
  memory: PageMemory,
  page: Page,
  { notice, earlier }: { notice: string | null; earlier: { id: string; at: number } | null },
): View {
  return {
    ...frame(memory, page.title || operation.verb),
    submit: plain(page.submit, limits.view.submit),
    blocks: [
      ...(earlier
        ? [
            section(
              `What you filled in ${moment(earlier.at)} is still here.`,
              button("Go on with it", `${pagePrefix}${resumeVerb}`, earlier.id),
            ),
          ]
        : []),
      ...(notice ? [section(notice)] : []),
      ...page.blocks,
    ],
  };
}

/** Stands while the next page is read. */
export function waitingView(operation: Operation, memory: PageMemory, text: string): View {
  return { ...frame(memory, operation.verb), blocks: [section(`:hourglass_flowing_sand: ${text}`)] };
}

function frame(memory: PageMemory, title: string) {
  return {
    type: "modal" as const,
    callback_id: pageCallback,
    title: plain(title, limits.view.title),
    close: plain("Close", limits.view.close),
    private_metadata: JSON.stringify(memory),
  };
}

const State = z.record(
  z.string(),
  z.record(
    z.string(),
    z.looseObject({
      value: z.string().nullish(),
      selected_option: z.object({ value: z.string() }).nullish(),
      selected_options: z.array(z.object({ value: z.string() })).nullish(),
      files: z.array(z.looseObject({ id: z.string(), name: z.string().nullish() })).nullish(),
    }),
  ),
);

/** What is filled in, by block id; a file is told of by `filesIn`, and here by its name alone. */
export function saidIn(state: unknown): Said {
  const said: Said = {};
  for (const [field, elements] of Object.entries(State.parse(state))) {
    const [entry] = Object.values(elements);
    if (!entry) continue;
    if (entry.files) said[field] = entry.files[0] ? { name: entry.files[0].name ?? "", content: "" } : null;
    else if (entry.selected_options) said[field] = entry.selected_options.map(({ value }) => value);
    else said[field] = entry.selected_option?.value ?? entry.value ?? null;
  }
  return said;
}

/** A file that was put into a field; its content is still with Slack. */
export interface Attached {
  field: string;
  id: string;
  name: string;
}

export function filesIn(state: unknown): Attached[] {
  return Object.entries(State.parse(state)).flatMap(([field, elements]) =>
    Object.values(elements).flatMap(({ files }) =>
      (files ?? []).map(({ id, name }) => ({ field, id, name: name ?? "file" })),
    ),
  );
}
