import { fieldsOf, isSecret } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import { listing } from "../../views/text.ts";
import { nearest, readCommand } from "./language.ts";

/** What a typed command asks for. It is settled from the text and the declarations alone, before anything is read. */
export type ParsedCommand =
  | { is: "help"; noun: string | null }
  | { is: "invoke"; operation: Operation; target: string | null; input: Record<string, string> }
  | { is: "form"; operation: Operation; target: string | null; input: Record<string, string> }
  | { is: "error"; text: string };

const app = "rackbell";

/** `command` is the slash command without its slash, `text` what follows it. */
export function parseCommand(registry: Registry, command: string, text: string): ParsedCommand {
  const { words, values, secrets, problems } = readCommand(text);
  if (secrets.length > 0) {
    return {
      is: "error",
      text: `That looks like a secret (${listing(secrets.map((kind) => `a ${kind}`))}), and everybody who can read your Slack history could read it. I did not use it. Revoke or change it. Secrets are asked for in a form: leave them out of commands.`,
    };
  }
  if (problems.length > 0) return { is: "error", text: problems.join(" ") };
  const spoken =
    command === app && registry.nouns.includes((words[0] ?? "").toLowerCase()) && words[0]?.toLowerCase() !== app
      ? words
      : [command, ...words];
  const noun = spoken[0]?.toLowerCase() ?? "";
  if (spoken.length === 1 || spoken[1]?.toLowerCase() === "help") {
    return { is: "help", noun: noun === app && spoken[2] ? spoken[2] : noun === app ? null : noun };
  }
  const operation = longestMatch(registry, noun, spoken);
  if (!operation) return { is: "error", text: unknownVerb(registry, noun, spoken[1] ?? "") };
  return complete(operation, spoken.slice(operation.command.split(" ").length), values);
}

// "vps snapshot delete x" is the deletion, not a snapshot of a machine called "delete x".
function longestMatch(registry: Registry, noun: string, spoken: string[]): Operation | undefined {
  return registry
    .under(noun)
    .map((operation) => ({ operation, words: operation.command.split(" ") }))
    .filter(({ words }) => words.every((word, at) => spoken[at]?.toLowerCase() === word))
    .sort((a, b) => b.words.length - a.words.length)[0]?.operation;
}

function unknownVerb(registry: Registry, noun: string, typed: string): string {
  const verbs = registry.under(noun).map((operation) => operation.command.split(" ").slice(1).join(" "));
  const near = nearest(typed.toLowerCase(), verbs);
  const meant =
    near.length > 0
      ? ` Did you mean ${listing(
          near.map((verb) => `/${noun} ${verb}`),
          "or",
        )}?`
      : "";
  return `I don't know “${typed}” for /${noun}.${meant} /${noun} help shows all there is. Nothing was done.`;
}

function complete(operation: Operation, rest: string[], values: Record<string, string>): ParsedCommand {
  const typed = rest.join(" ");
  const input = { ...values };
  let target: string | null = null;
  if (operation.target) target = typed || null;
  else if (operation.positional && typed) input[operation.positional] ??= typed;
  else if (typed)
    return {
      is: "error",
      text: `/${operation.command} takes no name, so I don't know what to do with “${typed}”. Nothing was done.`,
    };
  const fields = fieldsOf(operation.input);
  const secret = fields.find((field) => isSecret(field) && input[field.name] !== undefined);
  if (secret)
    return {
      is: "error",
      text: `${secret.label} is a secret: it is asked for in a form, never in a command. Change it if it was a real one.`,
    };
  const missing =
    (operation.target !== null && target === null) ||
    (Object.keys(input).length === 0 && operation.check(input) !== null) ||
    fields.some((field) => isSecret(field) || (field.required && input[field.name] === undefined));
  return { is: missing ? "form" : "invoke", operation, target, input };
}
