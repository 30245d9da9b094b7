import * as z from "#zod";
import { mayBeOffered } from "../../members/access/access.ts";
import type { Json } from "../../operation/answer.ts";
import { fieldsOf, isSecret, isTypable } from "../../operation/fields.ts";
import type { Operation, PlatformOperation } from "../../operation/operation.ts";
import { reasonField } from "../../operation/reason.ts";
import { nounOf, type Registry, synonymsOf } from "../../operation/registry.ts";
import { riskGroup } from "../../operation/risk.ts";
import type { AgentCaller } from "./app.ts";
import { AgentError } from "./errors.ts";

/** The use that an agent can make of an operation. */
export type Use = "read" | "propose";

/** An operation that agents can use. */
export interface Offered {
  operation: PlatformOperation;
  use: Use;
}

/**
 * The use that agents can make of an operation; null if they neither find nor use it: the app's own operations, those that hand out access,
 * and those that a person must fill in.
 */
export function agentUse(operation: Operation): Offered | null {
  if (operation.api === "app" || operation.agents === "never") return null;
  if (operation.risk === "read") return riskGroup(operation) === "access" ? null : { operation, use: "read" };
  return asksForSecret(operation) ? null : { operation, use: "propose" };
}

/** A password that is left out is generated; any other secret must be typed by a person. */
function asksForSecret({ input }: Operation): boolean {
  return fieldsOf(input).some((field) => isSecret(field) && field.required && field.kind !== "password");
}

/** The operations that this agent can use with its links. */
export function offeredTo({ all }: Registry, { agent: { may, projects }, links }: AgentCaller): Offered[] {
  const withProjects = new Set(all.filter(({ target }) => target?.projects).map(nounOf));
  return all.flatMap((operation) => {
    const offered = agentUse(operation);
    if (!offered || (offered.use === "propose" && may === "read")) return [];
    // An agent that is confined to projects must see nothing that is in none, such as invoices and resold services.
    if (projects !== null && !withProjects.has(nounOf(operation))) return [];
    // It must move nothing out of them either.
    if (projects !== null && offered.use === "propose" && "project" in operation.input.shape) return [];
    return mayBeOffered(links, operation) ? [offered] : [];
  });
}

/** An operation as an agent finds it. Its texts are the app's own: the platform's words never describe a tool. */
export const FoundOperation = z.object({
  command: z.string(),
  use: z.enum(["read", "propose"]),
  risk: z.string(),
  summary: z.string(),
  target: z.string().nullable(),
  several: z.boolean(),
  input: z.json(),
});
type FoundOperation = z.infer<typeof FoundOperation>;

/** The operations that fit all words, by noun and risk; the best first. */
export function searchOperations(
  offered: readonly Offered[],
  { words = "", noun, risk }: { words?: string | undefined; noun?: string | undefined; risk?: string | undefined },
  { from, most }: { from: number; most: number },
): { found: FoundOperation[]; more: number } {
  const wanted = words
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const ranked = offered
    .filter(
      ({ operation }) =>
        (noun === undefined || nounOf(operation) === noun) && (risk === undefined || operation.risk === risk),
    )
    .map((each) => ({ each, rank: rankOf(each.operation, wanted) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank);
  const found = ranked.slice(from, from + most).map(({ each }) => describe(each));
  return { found, more: Math.max(0, ranked.length - from - found.length) };
}

/** A word in the command counts more than one in the summary or a synonym; 0 if no word fits. */
function rankOf(operation: Operation, words: readonly string[]): number {
  if (words.length === 0) return 1;
  const { command, summary } = operation;
  const text = [summary, ...synonymsOf(operation).map((synonym) => synonym.words)].join(" ").toLowerCase();
  return words.reduce(
    (sum, word) =>
      sum + (command.split(" ").includes(word) ? 4 : command.includes(word) ? 2 : text.includes(word) ? 1 : 0),
    0,
  );
}

function describe({ operation, use }: Offered): FoundOperation {
  const { command, risk, summary, target, bulk } = operation;
  return {
    command,
    use,
    risk,
    summary,
    target: target?.label ?? null,
    several: use === "propose" && bulk !== undefined,
    input: inputSchemaOf(operation),
  };
}

const ObjectSchema = z.looseObject({
  properties: z.record(z.string(), z.json()).default({}),
  required: z.array(z.string()).optional(),
});

/** The input as JSON Schema, without secrets, which a person types, and without the reason, which is `why`. */
export function inputSchemaOf(operation: PlatformOperation): Json {
  const hidden = hiddenInputs(operation);
  const { properties, required, ...rest } = ObjectSchema.parse(
    z.json().parse(z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" })),
  );
  return z.json().parse({
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !hidden.has(name))),
    ...(required ? { required: required.filter((name) => !hidden.has(name)) } : {}),
  });
}

/** The inputs that an agent cannot fill in. */
function hiddenInputs({ input }: PlatformOperation): ReadonlySet<string> {
  return new Set([
    reasonField,
    ...fieldsOf(input)
      .filter((field) => !isTypable(field) || field.people)
      .map(({ name }) => name),
  ]);
}

/** Throws an AgentError about the first input that the agent cannot fill in, or that is not there. */
export function refuseHidden(operation: PlatformOperation, input: Record<string, unknown>): void {
  const hidden = hiddenInputs(operation);
  const known = new Set(fieldsOf(operation.input).map(({ name }) => name));
  for (const name of Object.keys(input)) {
    if (hidden.has(name))
      throw new AgentError(`Leave out "${name}": a person or Rackbell fills it in. Nothing was done.`);
    if (!known.has(name)) throw new AgentError(`There is no input "${name.slice(0, 60)}". Nothing was done.`);
  }
}
