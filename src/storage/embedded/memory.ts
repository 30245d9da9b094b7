import type { Clock } from "../../clock.ts";
import type { Texts } from "../face.ts";
import { expiry } from "./texts.ts";

interface Mark {
  text: string;
  expiresAt: number | null;
}

/** The texts of one namespace in memory, shared by all openings of a file. */
export interface Marks {
  get(key: string): string | undefined;
  set(key: string, text: string, ttlMs: number | undefined): void;
  delete(key: string): boolean;
  keys(): string[];
}

/** Expired marks are removed only above this number. */
const fewMarks = 1_000;

export function createMarks(clock: Clock): Marks {
  const marks = new Map<string, Mark>();
  let tidyAbove = fewMarks;

  function isLive({ expiresAt }: Mark): boolean {
    return expiresAt === null || expiresAt > clock.now();
  }

  function tidy(): void {
    for (const [key, mark] of marks) if (!isLive(mark)) marks.delete(key);
    // Tidy again only after the number has doubled, so that the cost per mark stays constant.
    tidyAbove = Math.max(fewMarks, 2 * marks.size);
  }

  return {
    get(key) {
      const mark = marks.get(key);
      return mark && isLive(mark) ? mark.text : undefined;
    },
    set(key, text, ttlMs) {
      marks.set(key, { text, expiresAt: expiry(clock, ttlMs) });
      if (marks.size > tidyAbove) tidy();
    },
    delete: (key) => marks.delete(key),
    keys() {
      tidy();
      return [...marks.keys()];
    },
  };
}

/** The texts for one opening. `check` throws after it is closed. */
export function createMemoryTexts(marks: Marks, check: () => void): Texts {
  const present = (): Marks => {
    check();
    return marks;
  };
  return {
    get: (key) => present().get(key),
    set: async (key, text, ttlMs) => present().set(key, text, ttlMs),
    delete: async (key) => present().delete(key),
    has: async (key) => present().get(key) !== undefined,
    async *scan() {
      for (const key of present().keys()) {
        const text = marks.get(key);
        if (text !== undefined) yield [key, text];
      }
    },
  };
}
