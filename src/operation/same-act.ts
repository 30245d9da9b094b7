import type { ApiName } from "../platform/http/errors.ts";
import { ownValue } from "../process/own-value.ts";
import type { PlatformOperation } from "./operation.ts";
import { type Registry, topicOf, verbWordsOf } from "./registry.ts";
import type { Entry } from "./target.ts";

// An act is the thing done, by whatever command: `/vps cancel web-1` and `/service cancel web-1` are one. Approval rules and the guards
// against running something twice go by it.

/** An act on a kind of resource. A kind that cannot be read counts as each that it may be. */
export interface NamedAct {
  command: string;
  acts: readonly string[];
  kinds: readonly string[];
}

/** An operation's parts that say which kinds it acts on. */
interface Targeting {
  command: string;
  act: { api: ApiName };
  on?: readonly string[] | undefined;
  target: { noun: string; kinds?: readonly string[] | undefined } | null;
}

type Acting = Pick<PlatformOperation, "command" | "does">;

/** The acts of an operation with this input; all that it may do if the input does not say. Its verb, if it declares none. */
export function actsWith(operation: Acting, input: Record<string, unknown>): readonly string[] {
  const { does = [verbWordsOf(operation)] } = operation;
  if (!("input" in does)) return does;
  const value = input[does.input];
  if (typeof value !== "string" || value === "") return [verbWordsOf(operation), ...Object.values(does.acts).flat()];
  return ownValue(does.acts, value) ?? [verbWordsOf(operation), value.toLowerCase()];
}

/** The acts that an operation is named by: a rule about it is about these. */
function actsNamed({ does, ...operation }: Acting): string[] {
  if (!does) return [verbWordsOf(operation)];
  if (!("input" in does)) return does.slice(0, 1);
  return does.open ? [verbWordsOf(operation)] : Object.values(does.acts).flatMap(([first = ""]) => first);
}

/** The kinds of resources that an operation acts on. Those of the other API have other names. */
export function kindsOf({ act: { api }, command, target, on }: Targeting): readonly string[] {
  if (on) return on;
  if (target?.kinds) return target.kinds;
  const noun = target?.noun && (api === "reseller" ? `reseller ${target.noun}` : target.noun);
  return [noun || topicOf({ command })];
}

/** The same, as the entries say that were read. */
export function kindsIn(operation: Targeting, entries: readonly Entry[]): string[] {
  const kinds = kindsOf(operation);
  return [...new Set(entries.flatMap(({ type = "" }) => (kinds.includes(type) ? type : kinds)))];
}

/** The other commands that are named by one of these acts, on one of these kinds. */
export function commandsOfAct({ all }: Pick<Registry, "all">, act: NamedAct): string[] {
  return namedActs(all)
    .filter(({ command, acts, kinds }) => command !== act.command && share(acts, act.acts) && share(kinds, act.kinds))
    .map(({ command }) => command);
}

/** Derived once from a list of operations, since each command asks: to derive them anew allocated a third of all that a command does. */
function namedActs(all: Registry["all"]): readonly NamedAct[] {
  const known = named.get(all);
  if (known) return known;
  const found = all.flatMap((operation) =>
    operation.api === "app"
      ? []
      : [{ command: operation.command, acts: actsNamed(operation), kinds: kindsOf(operation) }],
  );
  named.set(all, found);
  return found;
}

const named = new WeakMap<Registry["all"], readonly NamedAct[]>();

/** The operations that a strict rule about these commands also covers, since they may do the same to the same kind. */
export function operationsGained(
  { all }: Pick<Registry, "all">,
  isNamed: (command: string) => boolean,
): PlatformOperation[] {
  const named = all.flatMap((operation) => (operation.api !== "app" && isNamed(operation.command) ? [operation] : []));
  return all.flatMap((operation) =>
    operation.api !== "app" &&
    !isNamed(operation.command) &&
    named.some((one) => share(actsNamed(one), actsWith(operation, {})) && share(kindsOf(one), kindsOf(operation)))
      ? [operation]
      : [],
  );
}

/** True if two acts are one, or one does the other as well. */
export function share(some: readonly string[], others: readonly string[]): boolean {
  for (const one of some) if (others.includes(one)) return true;
  return false;
}
