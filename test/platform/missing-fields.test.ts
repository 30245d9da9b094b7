import { expect, test } from "vitest";
import { contract, dataOf, openBoth, replyWith } from "./contract.ts";

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

type Field = (string | number)[];

/** Every field of an answer, at any depth; the items of a list are no fields. */
function fieldsOf(value: unknown, at: Field = []): Field[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Array.isArray(value) ? [] : [[...at, name]]),
    ...fieldsOf(inner, [...at, name]),
  ]);
}

function without(value: unknown, [name, ...rest]: Field): unknown {
  if (!isObject(value) || name === undefined) return value;
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    if (key !== String(name)) return [[key, inner] as const];
    return rest.length === 0 ? [] : [[key, without(inner, rest)] as const];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** The values in a result that say "none": of a field that was left out, they would be made up. */
function nones(value: unknown, at = ""): Map<string, unknown> {
  const isNone = value === null || value === false || value === 0 || value === "" || value === "0";
  if (isNone || (Array.isArray(value) && value.length === 0)) return new Map([[at, value]]);
  if (!isObject(value)) return new Map();
  return new Map(Object.entries(value).flatMap(([name, inner]) => [...nones(inner, `${at}.${name}`)]));
}

/** Absent means none by the spec, or says nothing of money, states or losses. */
const allowed: [what: RegExp, why: string][] = [
  [/\.idempotent$/, "only a replay has it: customer spec section 2.6, reseller spec sections 2.3 and 4.2"],
  [/\.alreadyTerminated$/, "only a repeated call has it: reseller spec section 3.2"],
  [/\.alreadyInState$/, "only a dedicated server has it: reseller spec section 4.3"],
  [/^\.status$|^\.actions$/, "suspend and unsuspend: read again from the service, never shown as none"],
  [/^\.password$|^\.method$/, "only a dedicated server generates one: reseller spec section 4.3"],
  [/secrets/, "the list of what was withheld"],
  [/^$/, "an accepted power action of another shape: null is no word about its end, and the machine is read"],
  [/^\.(document|order|invoice)$/, "null is what cannot be read: the caller looks for it, and never calls it paid"],
];

test("no field that an answer to a write leaves out is read as none", async () => {
  const { answer, clients } = await openBoth();
  const found: string[] = [];
  for (const row of contract.filter(({ sends }) => !sends.startsWith("GET "))) {
    const data = dataOf(row);
    if (!isObject(data)) continue;
    answer(replyWith(row, data));
    const whole = nones(await row.call(clients));
    for (const field of fieldsOf(data)) {
      answer(replyWith(row, without(data, field)));
      const result = await row.call(clients).catch(() => undefined);
      for (const [place, value] of nones(result))
        if (!whole.has(place) && !allowed.some(([what]) => what.test(place)))
          found.push(`${row.api} ${row.sends} without ${field.join(".")}: ${place} is ${JSON.stringify(value)}`);
    }
  }
  expect(found).toEqual([]);
}, 60_000);
