import * as z from "#zod";
import type { Answer, Secret, Step } from "../../operation/answer.ts";
import { type Block, context, facts, paragraphs, section } from "../../views/blocks.ts";
import { type KnownFacts, known } from "./lines.ts";

/** The members of the operation that shows a card. */
export const showCommon = { risk: "read", synonyms: ["status", "info", "details"], input: z.object({}) } as const;

/** So many facts are on a card: two rows of two. The others are in its details. */
const mostFacts = 4;

/** So many lines of a list are on a card. */
export const mostLines = 3;

/** The lines of the first rows of a list, which are on a card, and the number of the others. */
export function firstLines<T>(rows: readonly T[], lineOf: (row: T) => string): string[] {
  const left = rows.length - mostLines;
  return [...rows.slice(0, mostLines).map(lineOf), ...(left > 0 ? [`and ${left} more`] : [])];
}

/** Lines of a card, of which only texts are shown. */
export type CardLines = (string | false | null | undefined)[];

/** The parts of a card, by which every kind of resource looks the same. */
interface CardParts {
  /** One sentence for the notification. */
  text: string;
  /** The resource in bold with its state, after the mark of that state. */
  title: string;
  /** The lines below the title that matter now: a warning, the usage, the next step. */
  lines?: CardLines;
  /** The most important first. */
  facts: KnownFacts;
  /** Only in the details: what the platform sends beside the facts. */
  details?: Block[];
  /** "VPS `7c1f…`", the last line of the details. */
  id: string;
  next: Step[];
  secrets?: Secret[] | undefined;
}

/** The answer about one resource: its title, what matters now and the first facts. All else is behind *Details*. */
export function card({
  text,
  title,
  lines = [],
  facts: rows,
  details = [],
  id,
  next,
  secrets = [],
}: CardParts): Answer {
  const shown = known(rows);
  return {
    text,
    blocks: [...paragraphs([title, ...lines].flatMap((line) => line || [])), ...facts(shown.slice(0, mostFacts))],
    details: [...facts(shown.slice(mostFacts)), ...details, context(id)],
    next,
    secrets,
  };
}

/** The text and blocks of an answer that is not about one resource alone: a bold headline, and the blocks below it. */
export function headed(headline: string, blocks: Block[]): { text: string; blocks: Block[] } {
  return { text: headline, blocks: [section(`*${headline}*`), ...blocks] };
}
