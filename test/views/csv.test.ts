import { expect, test } from "vitest";
import { csvText } from "../../src/views/csv.ts";

test.each(["=1+1", "+1+1", "-1+1", "@SUM(A1)", "＝1+1", "＋1+1", "－1+1", "＠SUM(A1)", "\t=1", " =1", "\r=1"])(
  "a name that a spreadsheet would run as a formula is text there: %j",
  (name) => {
    expect(csvText({ columns: ["Name"], rows: [[name]] }, "UTC")).toMatch(/^\uFEFFName\r\n"?'/);
  },
);

test.each(["-1", "-1,234.50", "12"])("a number stays one: %s", (number) => {
  expect(csvText({ columns: ["Sum"], rows: [[number]] }, "UTC")).not.toContain("'");
});

test.each([
  ["x;=1+1", `"x;'=1+1"`],
  ["x\t=1+1", `"x\t'=1+1"`],
  ["x; ＝1+1;-y", `"x;' ＝1+1;'-y"`],
  ["x\r\n=1+1", `"x\r\n'=1+1"`],
  ["=1;+2", `"'=1;'+2"`],
  ["a;b", `"a;b"`],
  ["a-b; c=d", `"a-b; c=d"`],
])("a name in which a formula follows a separator of another language is text there: %j", (name, cell) => {
  expect(csvText({ columns: ["Name"], rows: [[name]] }, "UTC")).toBe(`\uFEFFName\r\n${cell}\r\n`);
});
