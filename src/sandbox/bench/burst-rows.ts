import { burst } from "./burst-orders.ts";
import type { Approval } from "./burst-people.ts";
import { median, percentile } from "./figures.ts";
import { megabytes, milliseconds, plainRow, type Row } from "./report.ts";

/** A channel gets 75 posts, of which Slack refuses every other once, and as many edits, at about one a second. */
const rightWithinMs = 240_000;
/** A press reads the machine anew before it acts; an alert is sent to Slack in less. */
const runsWithinMs = 1_000;
const asFast = 2;

/** What was measured; times in milliseconds. */
export interface Burst {
  answers: number[];
  sentMs: number;
  /** How many cards were right when it was over, and when all of them were. */
  right: number;
  rightMs: number;
  /** Calls of Slack's by method and outcome, such as "chat.update ok". */
  calls: Map<string, number>;
  memory: number;
  /** Acknowledgements, before the burst, while deliveries come, and while cards are posted; and approvals. */
  typed: Record<"before" | "sending" | "posting", number[]>;
  approved: Record<"before" | "amid", Approval[]>;
}

/** What a burst came to, with its goals. */
export function burstRows({ answers, sentMs, right, rightMs, calls, memory, typed, approved }: Burst): Row[] {
  const used = (name: string) => calls.get(name) ?? 0;
  const quiet = median(typed.before);
  const against = (times: number[]) => median(times) / quiet;
  return [
    plainRow("all are delivered after", sentMs, null, seconds),
    plainRow("p99 of their answers", percentile(answers, 0.99), 1_000, milliseconds),
    plainRow("cards that are wrong, missing or double at the end", burst.orders - right, 0),
    plainRow("every card is right after", rightMs, rightWithinMs, seconds),
    plainRow("posts", used("chat.postMessage ok"), null),
    plainRow("posts that Slack refused for now", used("chat.postMessage rate limited"), null),
    plainRow("edits", used("chat.update ok"), null),
    plainRow("memory at the end", memory, null, megabytes),
    plainRow("a command's acknowledgement before the burst", quiet, null, milliseconds),
    plainRow("  while deliveries come, against that", against(typed.sending), asFast, ratio),
    plainRow("  while cards are posted, against that", against(typed.posting), asFast, ratio),
    ...approvalRows("an approval before the burst", approved.before, null),
    ...approvalRows("an approval amid it", approved.amid, runsWithinMs),
  ];
}

function approvalRows(what: string, all: Approval[], most: number | null): Row[] {
  const middle = (pick: (one: Approval) => number) => median(all.map(pick));
  return [
    plainRow(
      `${what}: from the press to the platform`,
      middle((one) => one.ranMs),
      most,
      milliseconds,
    ),
    plainRow(
      "  from the command to its request",
      middle((one) => one.askedMs),
      null,
      milliseconds,
    ),
    plainRow(
      "  from the press to the word that it is done",
      middle((one) => one.toldMs),
      null,
      milliseconds,
    ),
  ];
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}

function ratio(figure: number): string {
  return figure.toFixed(2);
}
