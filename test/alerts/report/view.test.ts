import { expect, test } from "vitest";
import { onTime, reportView } from "../../../src/alerts/report/view.ts";
import type { Week } from "../../../src/alerts/report/week.ts";

const day = 24 * 60 * 60_000;
const to = Date.parse("2026-11-30T08:00:00Z");

function week(readAt: number): Week {
  return {
    from: to - 7 * day,
    to,
    changed: { counts: [], lines: [], loud: 0, more: false },
    done: { people: [], unknown: 2, unanswered: 0, more: false },
    estate: {
      at: readAt,
      confinedTo: null,
      sums: Array.from({ length: 9 }, (_, at) => ({
        project: `p-${at}`,
        currency: at % 2 === 0 ? "EUR" : "USD",
        amount: "10.00",
        machines: 1,
      })),
      hourly: 0,
      unknown: 1,
      documents: [],
      waiting: 0,
      starting: 1,
      suspended: [{ project: "p-0", currency: "EUR", amount: "12.00", machines: 2 }],
      suspendedUnknown: 1,
      due: [
        { day: "2026-11-29", count: 1, names: ["over"] },
        { day: "2026-11-30", count: 7, names: ["today", "b", "c", "d", "e"] },
      ],
    },
  };
}

function shown(readAt: number, past: Parameters<typeof reportView>[1] = []): string {
  return JSON.stringify(reportView(week(readAt), past, onTime).blocks);
}

test("a report from a reading of days ago has a warning, and one from today's reading has none", () => {
  expect(shown(to - day / 2)).not.toContain("The last complete reading was");
  expect(shown(to - 2 * day)).toContain("The last complete reading was");
});

test("days that are over by then are not shown as due", () => {
  expect(shown(to - day / 2)).not.toContain("over`");
  expect(shown(to - day / 2)).toContain("7 renewals, `today`, `b`, `c`, `d`, `e` and 2 more");
});

test("a report counts the acts without a clear answer, and shows the change of each currency since the last one", () => {
  const before = { at: to - 7 * day, sums: [{ project: "p-0", currency: "EUR", amount: "60.00" }] };
  const text = shown(to, [before]);
  expect(text).toContain("2 acts got no clear answer");
  expect(text).toContain("10.00 EUR less than in the last report");
  expect(text).toContain("40.00 USD more than in the last report");
  expect(text).toContain(
    "Not counted: 1 server with an unknown price, 3 suspended servers (12.00 EUR a month and 1 of them without a price) and 1 server that is not active yet.",
  );
});
