import * as z from "#zod";
import { guidePages } from "../guide/guide.ts";
import type { Json } from "../operation/answer.ts";
import type { Operation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import { usageOf } from "../operation/usage.ts";
import { botScopes } from "./manifest.ts";

/** One operation in the public catalogue. */
export interface CatalogueEntry {
  command: string;
  usage: string;
  summary: string;
  api: Operation["api"];
  routes: string[];
  scope: string | null;
  risk: Operation["risk"];
  target: string | null;
  input: Json;
}

/** All operations as data; `input` is JSON Schema. */
export function catalogueOf(registry: Registry): CatalogueEntry[] {
  return registry.all.map((operation) => ({
    command: operation.command,
    usage: usageOf(operation),
    summary: operation.summary,
    api: operation.api,
    routes: operation.routes,
    scope: operation.scope,
    risk: operation.risk,
    target: operation.target?.label ?? null,
    input: z.json().parse(z.toJSONSchema(operation.input, { io: "input" })),
  }));
}

const manners: Record<Operation["risk"], string> = {
  read: "",
  change: "shown in the channel",
  spend: "shows the price, asks first",
  destroy: "shows the loss, asks first",
};

/** An act that asks first although it interrupts nothing replaces a secret. */
function mannerOf({ risk, asksFirst, interrupts }: Operation): string {
  return risk === "change" && asksFirst && interrupts === null ? "says what ends, asks first" : manners[risk];
}

/** The command reference: the guide's page of commands. */
export function referenceOf(registry: Registry): string {
  return registry.topics.map((topic) => topicReference(topic, registry.under(topic))).join("\n\n");
}

function topicReference(topic: string, operations: Operation[]): string {
  const rows = operations.map((operation) => [
    `\`${usageOf(operation).replaceAll("|", "\\|")}\``,
    operation.summary,
    operation.scope ?? "",
    mannerOf(operation),
  ]);
  return `### /${topic}\n\n${table(["command", "does", "scope", "note"], rows)}`;
}

function scopesTable(): string {
  return table(
    ["scope", "purpose", "without it"],
    Object.entries(botScopes).map(([scope, { purpose, lost }]) => [`\`${scope}\``, purpose, lost ?? "needed"]),
  );
}

/** The parts of files that are generated, each between `<!-- name -->` and `<!-- /name -->`. */
export const generated: Record<string, Record<string, (registry: Registry) => string>> = {
  "README.md": {
    scopes: scopesTable,
    guide: () =>
      [...guidePages, { name: "commands", title: "Commands", summary: "every command with its values, generated" }]
        .map(({ name, title, summary }) => `- [${title}](src/guide/${name}.md): ${summary}`)
        .join("\n"),
  },
  "src/guide/slack-admin.md": { scopes: scopesTable },
  "src/guide/commands.md": { commands: referenceOf },
};

/** The text of one of these files with new generated parts. Throws if a mark is missing. */
export function withGeneratedParts(registry: Registry, file: string, text: string): string {
  return Object.entries(generated[file] ?? {}).reduce((made, [name, make]) => {
    const [before, rest] = splitAt(made, `<!-- ${name} -->`);
    const [, after] = splitAt(rest, `<!-- /${name} -->`);
    return `${before}<!-- ${name} -->\n\n${make(registry)}\n\n<!-- /${name} -->${after}`;
  }, text);
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`There is no ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
