import type { Operation, Synonym } from "./operation.ts";

/** The operation that a synonym stands for. */
export interface Meaning<C = never> {
  operation: Operation<C>;
  synonym: Synonym;
}

/** All operations by command; the index of `operations/` fills it. */
export interface Registry<C = never> {
  all: readonly Operation<C>[];
  find(command: string): Operation<C> | undefined;
  /** The operations that have these words as a synonym: "vps restart". */
  meantBy(command: string): readonly Meaning<C>[];
  /** The slash commands, without their slash. */
  nouns: readonly string[];
  /** The units of help and verb lookup: a noun, or a noun with its sub-noun ("reseller service"). */
  topics: readonly string[];
  /** The topics of a noun: itself, or one for each of its sub-nouns. */
  topicsOf(noun: string): readonly string[];
  /** The operations of one topic, in the order of their index. */
  under(topic: string): Operation<C>[];
}

/** These nouns take a sub-noun before the verb. */
const withSubNouns = new Set(["reseller"]);

export function createRegistry<C>(operations: Operation<C>[]): Registry<C> {
  const byCommand = new Map(operations.map((operation) => [operation.command, operation]));
  if (byCommand.size !== operations.length) throw new Error("Two operations have one command");
  const bySynonym = Map.groupBy(operations.flatMap(meaningsOf), ({ operation, synonym }) =>
    synonymCommand(operation, synonym),
  );
  for (const [words, [meaning]] of bySynonym)
    if (byCommand.has(words))
      throw new Error(`/${words} is a command, and a synonym of /${meaning?.operation.command}`);
  const byTopic = Map.groupBy(operations, topicOf);
  const topics = [...byTopic.keys()];
  return {
    all: operations,
    nouns: [...new Set(operations.map(nounOf))],
    topics,
    topicsOf: (noun) => topics.filter((topic) => topic === noun || topic.startsWith(`${noun} `)),
    find: (command) => byCommand.get(command),
    meantBy: (command) => bySynonym.get(command) ?? [],
    under: (topic) => [...(byTopic.get(topic) ?? [])],
  };
}

function meaningsOf<C>(operation: Operation<C>): Meaning<C>[] {
  return synonymsOf(operation).map((synonym) => ({ operation, synonym }));
}

/** The synonyms of an operation, also those that are words alone. */
export function synonymsOf<C>({ synonyms = [] }: Operation<C>): Synonym[] {
  return synonyms.map((synonym) => (typeof synonym === "string" ? { words: synonym } : synonym));
}

/** The whole command that a synonym stands for: "vps restart". */
export function synonymCommand(operation: { command: string }, { words }: Synonym): string {
  return words.startsWith("/") ? words.slice(1) : `${topicOf(operation)} ${words}`;
}

/** "vps snapshot delete" -> "vps". */
export function nounOf(operation: { command: string }): string {
  return operation.command.split(" ")[0] ?? "";
}

/** "vps snapshot delete" -> "vps"; "reseller service suspend" -> "reseller service". */
export function topicOf(operation: { command: string }): string {
  const [noun = "", second = ""] = operation.command.split(" ");
  return withSubNouns.has(noun) ? `${noun} ${second}` : noun;
}

/** The words of a command after its topic: "snapshot delete". */
export function verbWordsOf(operation: { command: string }): string {
  return operation.command.slice(topicOf(operation).length + 1);
}

/** True for commands on resold services, which have the same kinds as the partner's own services. */
export function isResold(command: string): boolean {
  return /^reseller (service|game) /.test(command);
}
