import type { Operation } from "./operation.ts";

/** All operations by their command; the index of `operations/` fills it. */
export interface Registry {
  all: readonly Operation[];
  find(command: string): Operation | undefined;
  /** The operations of one noun, in the order of their index. */
  under(noun: string): Operation[];
  nouns: readonly string[];
}

export function createRegistry(operations: Operation[]): Registry {
  const byCommand = new Map(operations.map((operation) => [operation.command, operation]));
  if (byCommand.size !== operations.length) throw new Error("Two operations have one command");
  const byNoun = Map.groupBy(operations, nounOf);
  return {
    all: operations,
    nouns: [...byNoun.keys()],
    find: (command) => byCommand.get(command),
    under: (noun) => [...(byNoun.get(noun) ?? [])],
  };
}

/** "vps snapshot delete" -> "vps". */
export function nounOf(operation: { command: string }): string {
  return operation.command.split(" ")[0] ?? "";
}
