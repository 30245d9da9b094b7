// doctor/: looks at what Rackbell needs before it runs, and says what to mend; changes nothing.
// May import: slack/, chat/, platform/, platform/*, storage/, storage/*, config.ts, clock-skew.ts, log.ts, the clock.

/** What one look came to, as a line for the operator. */
export interface Finding {
  about: "variables" | "Slack" | "platform" | "store" | "clock";
  fine: boolean;
  /** What is so, or what is wrong and what to do about it. */
  says: string;
}
