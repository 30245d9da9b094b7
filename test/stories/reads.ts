import { operations } from "../../src/operations/index.ts";
import { type Message, type Story, said } from "./story.ts";

/** The target of a read, by its noun; a command that needs another one is named itself. */
const targets: Record<string, string> = {
  vps: "web-1",
  service: "web-2",
  "service backups": "plugin-1",
  dedicated: "metal-1",
  game: "arena-1",
  catalog: "VPS M",
  order: "ORD-1000",
  billing: "INV-1002",
  image: "golden-web",
  sshkey: "ana laptop",
  project: "Production",
  "reseller product": "VPS M",
  "reseller order": "ORD-1000",
  "reseller service": "ACME-001",
  "reseller service health": "BOR-002",
  "reseller service sshkeys": "BOR-002",
  "reseller service provider": "BOR-004",
  "reseller game": "BOR-003",
  "reseller customer": "borealis",
};

/** Reads that need an input beside their target. */
const inputs: Record<string, string> = {
  "reseller game file read": "path=/server.properties",
  "reseller game file contents": "path=/server.properties",
  "reseller game file download": "path=/server.properties",
  "reseller game mod search": "text=map",
  "reseller game mod show": "project=map",
  "reseller game mod versions": "project=map",
};

/** Types each read of the two APIs, and hands on its answer. `idOf`: how its target is typed; by its name if absent. */
export async function readEach(
  { ana, slack }: Pick<Story, "ana" | "slack">,
  look: (command: string, answer: Message) => void,
  idOf = (name: string) => (name.includes(" ") ? `"${name}"` : name),
): Promise<void> {
  for (const { command, api, risk } of operations) {
    if (api === "app" || risk !== "read") continue;
    const noun = command
      .split(" ")
      .slice(0, api === "reseller" ? 2 : 1)
      .join(" ");
    const isList = / (list|products|locations|balance|account|usage|transactions|invoices|proformas)$/.test(command);
    const target = isList ? "" : (targets[command] ?? targets[noun] ?? "");
    const before = new Set(ana.sees().map((message) => `${message.ts} ${said(message)}`));
    await ana.type(`/${command} ${target && idOf(target)} ${inputs[command] ?? ""}`.trim());
    const isNew = (message: Message) => !before.has(`${message.ts} ${said(message)}`);
    look(command, await slack.until(() => ana.sees().findLast(isNew), `an answer to /${command} ${target}`));
  }
}
