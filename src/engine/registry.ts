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
  const nouns = [...new Set(operations.map(nounOf))];
  return {
    all: operations,
    nouns,
    find: (command) => byCommand.get(command),
    under: (noun) => operations.filter((operation) => nounOf(operation) === noun),
  };
}

/** "vps snapshot delete" -> "vps". */
export function nounOf(operation: { command: string }): string {
  return operation.command.split(" ")[0] ?? "";
}
