import type { Clock } from "./clock.ts";

/** Whose clocks this machine's is held against, and how they are called. */
const timekeepers = { slack: "Slack's", platform: "the platform's" };
export type Timekeeper = keyof typeof timekeepers;

/** How far this machine's clock is from those of the services that it works with. */
export interface ClockSkew {
  /** Takes the `Date` header of an answer that took `tookMs`. */
  learn(from: Timekeeper, date: string, tookMs: number): void;
  /** Milliseconds that this machine's clock is ahead of theirs, below zero where it is behind; only of those that were heard of. */
  clockSkew(): Partial<Record<Timekeeper, number>>;
  /** A sentence for each that is too far off. */
  problems(): string[];
}

/** Milliseconds: past this, what is dated by both clocks no longer fits together. */
const mostMs = 30_000;
/** An answer that took longer tells too little of when its date was written. */
const mostTookMs = 5_000;

export function createClockSkew(clock: Clock): ClockSkew {
  /** Their time when ours, which only goes on, was nought. */
  const beginnings = new Map<Timekeeper, number>();

  function aheadOf(who: Timekeeper): number | undefined {
    const began = beginnings.get(who);
    return began === undefined ? undefined : Math.round(clock.now() - clock.monotonic() - began);
  }

  function sentence(who: Timekeeper): string[] {
    const ms = aheadOf(who) ?? 0;
    if (Math.abs(ms) <= mostMs) return [];
    const off = `${Math.round(Math.abs(ms) / 1_000)} s ${ms > 0 ? "ahead of" : "behind"} ${timekeepers[who]}`;
    return [`This machine's clock is ${off}: let a time server set it. Past five minutes no signature holds.`];
  }

  return {
    learn(from, date, tookMs) {
      const theirs = Date.parse(date);
      if (Number.isNaN(theirs) || tookMs > mostTookMs) return;
      // A header has whole seconds, and was written somewhere in between.
      beginnings.set(from, theirs + 500 + tookMs / 2 - clock.monotonic());
    },
    clockSkew() {
      const [slack, platform] = [aheadOf("slack"), aheadOf("platform")];
      return { ...(slack === undefined ? {} : { slack }), ...(platform === undefined ? {} : { platform }) };
    },
    problems: () => [...sentence("slack"), ...sentence("platform")],
  };
}
