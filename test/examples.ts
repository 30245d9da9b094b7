import { operations } from "../src/operations/index.ts";
import type { Practice } from "../src/sandbox/practice.ts";
import type { FieldValue } from "../src/sandbox/slack/server.ts";

// The lines that type the operations on the practice estate come from their declarations. Whatever a line needs beyond its words is in
// `preparations` below, by the command.

/** The line that types a command, as its declaration has it. */
function exampleOf(command: string): string {
  const operation = operations.find((one) => one.command === command);
  if (!operation) throw new Error(`There is no /${command}`);
  return operation.example;
}

/** The longest command that a typed text begins with. */
export function commandIn(typed: string): string | undefined {
  const found = operations.filter(({ command }) => `${typed} `.startsWith(`/${command} `));
  return found.toSorted((a, b) => b.command.length - a.command.length)[0]?.command;
}

/** The words of a command's example after the command: the target (empty if it has none), and the values. */
export function partsOf(command: string): { target: string; values: string } {
  const words =
    exampleOf(command)
      .slice(command.length + 1)
      .match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const isValue = (word: string) => /^[\w-]+=/.test(word);
  return {
    target: words
      .filter((word) => !isValue(word))
      .join(" ")
      .replaceAll('"', ""),
    values: words.filter(isValue).join(" "),
  };
}

/** True for an operation that can write at the platform. */
function isWriting({ routes }: { routes: readonly string[] }): boolean {
  return routes.some((route) => !route.startsWith("GET "));
}

const onPlatform = operations.filter(({ routes }) => routes.length > 0);

/** A line for every operation that writes, and one for several machines. */
export const commands: readonly string[] = [
  ...onPlatform.filter(isWriting).map(({ example }) => example),
  "/vps cancel web-1 web-2",
];

/** A line for every operation that only reads at the platform. */
export const reads: readonly string[] = onPlatform.filter((one) => !isWriting(one)).map(({ example }) => example);

/** How a command comes to be carried out, beyond the first choice of every menu. */
interface Preparation {
  /** How the platform is before. */
  given?(practice: Pick<Practice, "platform" | "slack">): void;
  /** Lines that are carried to their ends before it. */
  first?: readonly string[];
  /** Happens at the platform after it, where nothing went wrong. `to`: the aspect and the state that it leads to by itself. */
  afterwards?: { to: string; run: (practice: Practice) => void };
  /** Entered by label, in fields that may stay empty, too. */
  values?(practice: Pick<Practice, "platform" | "slack">): Readonly<Record<string, FieldValue>>;
}

/** The newest document is paid elsewhere. */
const payNewest: Preparation["afterwards"] = {
  to: "payment paid",
  run({ platform }) {
    const document = platform.documents().findLast(({ status }) => status === "unpaid");
    if (document) platform.payByOperator(document.id);
  },
};

/** By command: a command whose example cannot be carried out in the practice estate as it is seeded has a line here. */
const preparations: Readonly<Record<string, Preparation>> = {
  "service upgrade show": {
    given: ({ platform }) => platform.changeUser("ana", { balance: 0 }),
    first: [exampleOf("service upgrade")],
  },
  "service upgrade": { afterwards: payNewest },
  "order new": { afterwards: payNewest },
  "service upgrade cancel": {
    // The change waits for its payment.
    given: ({ platform }) => platform.changeUser("ana", { balance: 0 }),
    first: [exampleOf("service upgrade")],
  },
  "reseller order show": { first: [exampleOf("reseller order new")] },
  "reseller order retry": {
    given: ({ platform }) =>
      platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" }),
    first: [exampleOf("reseller order new")],
  },
  // A machine that runs already would read as started.
  "reseller service start": { first: ["/reseller service stop worker-1 force=yes"] },
  "reseller game start": { first: [`${exampleOf("reseller game stop")} force=yes`] },
  "reseller service console-casts": { first: [exampleOf("reseller service console-cast")] },
  "reseller service sshkeys": { first: [exampleOf("reseller service sshkey add")] },
  "reseller service options": { first: [exampleOf("reseller service options set")] },
  "reseller service console-cast revoke": { first: [exampleOf("reseller service console-cast")] },
  "reseller service reinstall": { values: () => ({ "Root password": "Made-here-2026" }) },
  "reseller service password": { values: () => ({ "New root password": "Made-here-2026" }) },
  "reseller service option remove": { first: [exampleOf("reseller service options set")] },
  "reseller service sshkey delete": { first: [exampleOf("reseller service sshkey add")] },
  "reseller service unrescue": { first: [`${exampleOf("reseller service rescue")} force=yes`] },
  "reseller game file decompress": { first: [exampleOf("reseller game file compress")] },
  "reseller game backup delete": { first: [exampleOf("reseller game backup create")] },
  "reseller webhook test": {
    first: ["/reseller webhook address"],
    values: ({ slack }) => ({ Address: `https://rackbell.example/webhooks/reseller/${slack.teamId}` }),
  },
  "rackbell connect": {
    first: [exampleOf("reseller webhook address")],
    values: ({ platform }) => ({ "Signing secret": platform.reseller.signingSecret() ?? "" }),
  },
  "rackbell connect check": { first: [exampleOf("reseller webhook address")] },
};

export function preparationOf(typed: string): Preparation {
  return preparations[commandIn(typed) ?? ""] ?? {};
}

/** Commands of the reseller programme: their author has linked a key of it, too. */
export function sellsOn(typed: string): boolean {
  return /^\/(?:reseller|rackbell connect)\b/.test(typed);
}
