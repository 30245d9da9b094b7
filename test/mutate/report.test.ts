import { expect, test } from "vitest";
import { type MutationReport, readReport } from "./report.ts";

const source = `export function mayPay(sum: number): boolean {
  return sum > 10 &&
    sum < 20;
}
`;
const at = (line: number, from: number, to: number, endLine = line) => ({
  start: { line, column: from },
  end: { line: endLine, column: to },
});
const report: MutationReport = {
  files: {
    "src/pay.ts": {
      source,
      mutants: [
        { replacement: "sum >= 10", status: "Survived", location: at(2, 10, 18) },
        { replacement: "false", status: "Killed", location: at(2, 10, 13, 3) },
        { replacement: "{}", status: "NoCoverage", location: at(1, 46, 2, 4) },
        { replacement: "true", status: "Timeout", location: at(2, 10, 18) },
        { replacement: "sum", status: "CompileError", location: at(2, 10, 18) },
      ],
    },
    "src/other.ts": { source: "", mutants: [] },
  },
};

test("a survivor is shown as its line is and as it would be, and one that no test reaches is a survivor", () => {
  const { results } = readReport(report, ["src/pay.ts"], []);
  expect(results).toEqual([
    {
      ...{ file: "src/pay.ts", mutants: 4, equivalent: 0 },
      survivors: [
        { line: 2, was: "return sum > 10 &&", now: "return sum >= 10 &&" },
        {
          line: 1,
          was: "export function mayPay(sum: number): boolean { return sum > 10 && sum < 20; }",
          now: "export function mayPay(sum: number): boolean {}",
        },
      ],
    },
  ]);
});

test("an equivalent mutant counts nowhere, and is named once it does not survive any more", () => {
  const known = { file: "src/pay.ts", now: "return sum >= 10 &&", why: "no sum is 10" };
  const gone = { file: "src/pay.ts", now: "return sum > 11 &&", why: "nobody knows" };
  const elsewhere = { ...gone, file: "src/other.ts" };
  const { results, vain } = readReport(report, ["src/pay.ts"], [known, gone, elsewhere]);
  expect(results[0]).toMatchObject({ mutants: 3, equivalent: 1, survivors: [{ line: 1 }] });
  expect(vain).toEqual([gone]);
});
