import type { Clock } from "./clock.ts";

/** The services whose clocks are compared with this machine's, and their names in sentences. */
const timekeepers = { slack: "Slack's", platform: "the platform's" };
export type Timekeeper = keyof typeof timekeepers;

/** The difference between this machine's clock and the clocks of Slack and the platform. */
export interface ClockSkew {
  /** Notes the `Date` header of an answer that took `tookMs`. */
  addSample(from: Timekeeper, date: string, tookMs: number): void;
  /** Milliseconds that this machine's clock is ahead; negative if it is behind. A service that has not answered yet is absent. */
  clockSkew(): Partial<Record<Timekeeper, number>>;
  /** A sentence for each that is too far off. */
  problems(): string[];
}

/** Milliseconds. A larger difference would mix up dates that come from both clocks. */
const mostMs = 30_000;
/** Milliseconds. After a slower answer it is unclear when its date was written. */
const mostTookMs = 5_000;

export function createClockSkew(clock: Clock): ClockSkew {
  /** Each service's time at zero of our monotonic clock. A time of day that is set back does not disturb it. */
  const beginnings = new Map<Timekeeper, number>();

  function aheadOf(timekeeper: Timekeeper): number | undefined {
    const began = beginnings.get(timekeeper);
    return began === undefined ? undefined : Math.round(clock.now() - clock.monotonic() - began);
  }

  function sentence(timekeeper: Timekeeper): string[] {
    const ms = aheadOf(timekeeper) ?? 0;
    if (Math.abs(ms) <= mostMs) return [];
    const off = `${Math.round(Math.abs(ms) / 1_000)} s ${ms > 0 ? "ahead of" : "behind"} ${timekeepers[timekeeper]}`;
    return [
      `This machine's clock is ${off}: let a time server set it. The platform refuses signatures that are more than five minutes off.`,
    ];
  }

  return {
    addSample(from, date, tookMs) {
      const theirs = Date.parse(date);
      if (Number.isNaN(theirs) || tookMs > mostTookMs) return;
      // A `Date` header has whole seconds, and was written somewhere between request and answer.
      beginnings.set(from, theirs + 500 + tookMs / 2 - clock.monotonic());
    },
    clockSkew() {
      const [slack, platform] = [aheadOf("slack"), aheadOf("platform")];
      return { ...(slack === undefined ? {} : { slack }), ...(platform === undefined ? {} : { platform }) };
    },
    problems: () => [...sentence("slack"), ...sentence("platform")],
  };
}
