import type { Step } from "../../operation/answer.ts";
import { unitsOf } from "../../platform/amounts.ts";
import { type Block, context, divider, paragraphs, section } from "../../views/blocks.ts";
import { day, moment, money } from "../../views/format.ts";
import { code, count, listing, prose } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { type PastPrices, priceChange, priceCharts, priceTotals, projectLabel } from "./prices.ts";
import type { Week } from "./week.ts";

/** The most event names, commands and projects that are listed by name; the others are counted. */
const mostNamed = 8;
const mostPeople = 15;
const mostDays = 14;
const mostDocuments = 10;
/** Older figures get a warning: polling reads even long lists within hours. */
const freshMs = 24 * 60 * 60_000;

/** Notes about the report's punctuality. */
export interface Lateness {
  /** When the report was due, in milliseconds, if Rackbell did not run then; null: it is on time. */
  dueAt: number | null;
  /** When an earlier report was due that was never posted, in milliseconds; null: none is missing. */
  missed: number | null;
}

export const onTime: Lateness = { dueAt: null, missed: null };

/** The report as blocks, and its first line as text. `past`: the prices of earlier reports, oldest first. */
export function reportView(
  week: Week,
  past: readonly PastPrices[],
  { dueAt, missed }: Lateness,
): { text: string; blocks: Block[] } {
  const text = `Weekly report: ${moment(week.from)} to ${moment(week.to)}`;
  const notes = [
    ...(dueAt === null ? [] : [`:hourglass: Late: it was due ${moment(dueAt)}, and Rackbell did not run then.`]),
    ...(missed === null
      ? []
      : [
          `:warning: The one that was due ${moment(missed)} was not posted: Rackbell did not run in the day after. This one covers its time, too.`,
        ]),
  ];
  return {
    text,
    blocks: [
      section(`*${text}*`),
      ...notes.map((note) => context(note)),
      ...paragraphs(["*Changes*", ...changedLines(week)]),
      ...paragraphs(["*Done through Rackbell*", ...doneLines(week)]),
      divider(),
      ...estateBlocks(week, past),
    ],
  };
}

/** The buttons under the report. Each runs with the key of the member who presses it. */
export const reportSteps: Step[] = [
  { label: "Unpaid invoices", command: "billing invoices", input: { status: "unpaid" } },
  { label: "VPSes", command: "vps list" },
  { label: "About this report", command: "rackbell report" },
];

function changedLines({ changed: { counts, lines, loud, more } }: Week): string[] {
  if (counts.length === 0) return ["No changes."];
  const all = counts.reduce((sum, { count: amount }) => sum + amount, 0);
  const left = loud - lines.length;
  return [
    `${more ? "More than " : ""}${count(all, "event")}: ${named(counts, eventWords)}.`,
    ...lines,
    ...(left > 0 ? [`And ${left} more like these: \`/rackbell alerts log\` has them.`] : []),
  ];
}

function doneLines({ done: { people, unknown, unanswered, more } }: Week): string[] {
  if (people.length === 0 && unknown === 0 && unanswered === 0) return ["Nothing."];
  const left = people.length - mostPeople;
  return [
    ...people.slice(0, mostPeople).map(({ slackUser, counts }) => `<@${slackUser}>: ${named(counts, code)}`),
    ...(left > 0 ? [`And ${count(left, "more member", "more members")}.`] : []),
    ...(unknown > 0
      ? [
          `:warning: ${count(unknown, "act")} got no clear answer from the platform: \`/rackbell audit everyone=yes\` says what was found out since.`,
        ]
      : []),
    ...(unanswered > 0
      ? [
          `:warning: Nobody took ${count(unanswered, "alert or request", "alerts or requests")} by the end of all steps: \`/rackbell audit everyone=yes\` has them.`,
        ]
      : []),
    ...(more ? ["There was more than is counted here."] : []),
  ];
}

/** An event by its name: "machine stopped", "service not built". */
function eventWords(name: string): string {
  return prose(name.split(".").map(stateWords).join(" "), 60);
}

/** "12 × `vps reboot`, 3 × `vps snapshot` and 4 of other kinds": the name of an event has no plural. */
function named(counts: { name: string; count: number }[], words: (name: string) => string): string {
  const shown = counts.slice(0, mostNamed).map(({ name, count: amount }) => `${amount} × ${words(name)}`);
  const rest = counts.slice(mostNamed).reduce((sum, { count: amount }) => sum + amount, 0);
  return listing([...shown, ...(rest > 0 ? [`${rest} of other kinds`] : [])]);
}

const missingEstate = {
  "no key":
    "Due dates and monthly costs are unknown: no customer monitoring key is set. An admin sets one with `/rackbell connect`.",
  "not read yet":
    "Due dates and monthly costs are not known yet: the monitoring key has not read the whole account. The next report has them.",
};

function estateBlocks({ estate, to }: Week, past: readonly PastPrices[]): Block[] {
  if (typeof estate === "string") return [section(missingEstate[estate])];
  return [
    ...paragraphs(["*Due in the next 14 days, and waiting to be paid*", ...dueLines(estate, to)]),
    ...paragraphs([
      "*Recurring price, before tax*",
      ...priceLines(
        estate,
        past.findLast(({ at }) => at < to),
      ),
    ]),
    ...priceCharts(estate.sums, to, past),
    ...(to - estate.at > freshMs
      ? [
          context(
            `:warning: The last complete reading was ${moment(estate.at)}. \`/rackbell alerts\` says if the monitoring key still works.`,
          ),
        ]
      : []),
    ...(estate.confinedTo === null
      ? []
      : [
          context(
            `:warning: The monitoring key sees the project ${code(estate.confinedTo)} alone: servers of others are not counted.`,
          ),
        ]),
    context(`Read with the monitoring key ${moment(estate.at)}. The report never shows credit balances.`),
  ];
}

type EstateFigures = Exclude<Week["estate"], string>;

function dueLines({ due, documents, waiting }: EstateFigures, to: number): string[] {
  const today = new Date(to).toISOString().slice(0, 10);
  // Figures that were read days ago may contain days that have passed.
  const renewals = due
    .filter((one) => one.day >= today)
    .slice(0, mostDays)
    .map(({ day: at, count: amount, names }) => {
      const left = amount - names.length;
      const shown = names.map((name) => code(name, 60));
      return `${day(at)}: ${count(amount, "renewal")}, ${listing([...shown, ...(left > 0 ? [`${left} more`] : [])])}`;
    });
  const shown = documents.slice(0, mostDocuments);
  const left = waiting - shown.length;
  const open = shown.map(({ name, total, remaining, currency, dueAt }) => {
    const when = dueAt === null ? "date unknown" : `due ${day(dueAt)}`;
    return `:page_facing_up: ${code(name, 60)} ${owedWords({ total, remaining, currency })}, ${when}`;
  });
  const lines = [
    ...renewals,
    ...open,
    ...(left > 0 ? [`And ${count(left, "more document waits", "more documents wait")} to be paid.`] : []),
  ];
  return lines.length > 0 ? lines : ["Nothing."];
}

function priceLines(figures: EstateFigures, before: PastPrices | undefined): string[] {
  const { sums, hourly, unknown, starting } = figures;
  const totals = priceTotals(sums).map(({ currency, amount }) => {
    const own = sums.filter((sum) => sum.currency === currency).toSorted((a, b) => Number(b.amount) - Number(a.amount));
    const parts = own
      .slice(0, mostNamed)
      .map(
        ({ project, amount: part, machines }) =>
          `${prose(projectLabel(project), 60)} ${money(part, currency)} (${count(machines, "server")})`,
      );
    const left = own.length - parts.length;
    return `*${money(amount, currency)} a month*${changeWords(currency, sums, before)}: ${listing([...parts, ...(left > 0 ? [count(left, "more project")] : [])])}`;
  });
  const uncounted = [
    ...(hourly > 0 ? [`${count(hourly, "server")} billed by the hour`] : []),
    ...(unknown > 0 ? [`${count(unknown, "server")} with an unknown price`] : []),
    ...suspendedWords(figures),
    ...(starting > 0 ? [`${count(starting, "server")} that ${starting === 1 ? "is" : "are"} not active yet`] : []),
  ];
  return [
    ...(totals.length > 0 ? totals : ["No active VPS or dedicated server has a price for each month."]),
    ...(uncounted.length > 0 ? [`Not counted: ${listing(uncounted)}.`] : []),
  ];
}

/** "2 suspended servers (24.20 EUR a month)" */
function suspendedWords({ suspended, suspendedUnknown }: EstateFigures): string[] {
  const machines = suspended.reduce((sum, one) => sum + one.machines, suspendedUnknown);
  if (machines === 0) return [];
  const prices = priceTotals(suspended).map(({ currency, amount }) => `${money(amount, currency)} a month`);
  const unpriced = suspendedUnknown > 0 ? [`${count(suspendedUnknown, "of them", "of them")} without a price`] : [];
  return [`${count(machines, "suspended server")} (${listing([...prices, ...unpriced])})`];
}

function changeWords(currency: string, sums: EstateFigures["sums"], before: PastPrices | undefined): string {
  const change = priceChange(currency, sums, before);
  if (change === null) return "";
  if (Number(change) === 0) return ", as in the last report";
  return `, ${money(change.replace("-", ""), currency)} ${change.startsWith("-") ? "less" : "more"} than in the last report`;
}

/** The amount to pay in words: a total of which a part may be paid must not be shown as the amount left. */
function owedWords({
  total,
  remaining,
  currency,
}: Pick<EstateFigures["documents"][number], "total" | "remaining" | "currency">): string {
  if (remaining === null || unitsOf(remaining) === unitsOf(total))
    return `of ${money(total, currency)} waits to be paid`;
  return `waits to be paid: ${money(remaining, currency)} is left of ${money(total, currency)}`;
}
