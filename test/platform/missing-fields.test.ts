import { expect, test } from "vitest";
import type { CallFacts } from "./calls.ts";
import { singles } from "./calls.ts";
import { customerCalls } from "./customer/calls.ts";
import { open } from "./reseller/call.ts";
import { resellerCalls } from "./reseller/calls/index.ts";
import { connect, ok, startServer } from "./server.ts";

/** A write and one of its answers in full. */
interface Write {
  sends: string;
  answer: unknown;
  send: (data: unknown) => Promise<unknown>;
}

async function writes(): Promise<Write[]> {
  let data: unknown;
  let beside: object = {};
  const { url } = await startServer((response) => ok(data, beside)(response));
  const customer = connect(url).client;
  const { client: reseller } = await open((response) => ok(data, beside)(response));
  const all = [
    ...singles(customerCalls).map(([sends, call, facts]) => ({
      api: "customer",
      sends,
      facts,
      call: () => call(customer),
    })),
    ...singles(resellerCalls).map(([sends, call, facts]) => ({
      api: "reseller",
      sends,
      facts,
      call: () => call(reseller),
    })),
  ];
  return all
    .filter(({ sends, facts }) => !sends.startsWith("GET ") && isObject(answerOf(facts)))
    .map(({ api, sends, facts, call }) => ({
      sends: `${api} ${sends}`,
      answer: answerOf(facts),
      send: (answer) => {
        data = answer;
        beside = facts.beside ?? {};
        return call();
      },
    }));
}

function answerOf({ answer, passes }: CallFacts): unknown {
  return answer === undefined ? passes : answer;
}

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
  const found: string[] = [];
  for (const { sends, answer, send } of await writes()) {
    const whole = nones(await send(answer));
    for (const field of fieldsOf(answer)) {
      const result = await send(without(answer, field)).catch(() => undefined);
      for (const [place, value] of nones(result))
        if (!whole.has(place) && !allowed.some(([what]) => what.test(place)))
          found.push(`${sends} without ${field.join(".")}: ${place} is ${JSON.stringify(value)}`);
    }
  }
  expect(found).toEqual([]);
}, 60_000);
