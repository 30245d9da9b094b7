import type { SQLOutputValue } from "node:sqlite";

type Column = SQLOutputValue | undefined;

/** A column that the schema says is TEXT NOT NULL. */
export function text(column: Column): string {
  if (typeof column !== "string") throw new TypeError("A column that should have text has none.");
  return column;
}

/** A column that the schema says is a number. */
export function number(column: Column): number {
  if (typeof column !== "number") throw new TypeError("A column that should have a number has none.");
  return column;
}

/** A number, or undefined for NULL or a missing row. */
export function numberOrNone(column: Column): number | undefined {
  return typeof column === "number" ? column : undefined;
}
