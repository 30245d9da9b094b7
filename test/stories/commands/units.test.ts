import { expect, test } from "vitest";
import { operations } from "../../../src/operations/index.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { type Message, said } from "../story.ts";

// Every number that a read shows has its unit, every amount its currency, and a number that names something is no amount.

/** The target of a read, by its noun; a command that needs another one is named itself. */
const targets: Record<string, string> = {
  vps: "web-1",
  service: "web-2",
  "service backups": "plugin-1",
  dedicated: "metal-1",
  game: "arena-1",
  catalog: '"VPS M"',
  order: "web-1",
  billing: "INV-1002",
  image: "golden-web",
  sshkey: '"ana laptop"',
  project: "production",
  "reseller product": '"VPS M"',
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

const faults: [what: string, pattern: RegExp][] = [
  [
    "an amount without its currency",
    /(?<![\w.,/-])\d[\d,]*\.\d{2}(?:\d{2})?(?![\d.])(?! ?(?:[A-Z]{3}\b|%|in the platform's base currency|LTS|\w?i?B\b|\w?bit))/,
  ],
  ["a number that names something with thousands", /\b(?:port|ASN?|VLAN|id|number)s?\b[`*: ]+\d{1,3},\d{3}\b/i],
  ["raw bits or bytes", /\b\d{1,3}(?:,\d{3}){2,}\b(?! ?[A-Z]{3}\b)/],
  ["a rate of what cannot be read", /not readable\/s/],
  ["a wrong article", /\ba (?:[aeio]\w+|SSH|unpaid)\b|\ban (?:[bcdfgjkmnpqrtvwz]\w+|VPS)\b/i],
  ["a count after its noun", /\b\d+ \w+s? more\b/],
];

test("each read of the practice estate gives every figure its unit and every amount its currency", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana, slack, platform } = story;
  platform.settings.shapes.payload = 1;
  const found: string[] = [];
  for (const { command, api, risk } of operations) {
    if (api === "app" || risk !== "read") continue;
    const noun = command
      .split(" ")
      .slice(0, api === "reseller" ? 2 : 1)
      .join(" ");
    const isList = / (list|products|locations|balance|account|usage|transactions|invoices|proformas)$/.test(command);
    const target = isList ? "" : (targets[command] ?? targets[noun] ?? "");
    const before = new Set(ana.sees().map((message) => `${message.ts} ${said(message)}`));
    await ana.type(`/${command} ${target} ${inputs[command] ?? ""}`.trim());
    const isNew = (message: Message) => !before.has(`${message.ts} ${said(message)}`);
    const answer = await slack.until(() => ana.sees().findLast(isNew), `an answer to /${command} ${target}`);
    // The list of services costs one call, and none of what it answers names the currency of its total.
    const shown = said(answer).replaceAll(/<!date[^>]*>|\*Active amount\*: \S+/g, "");
    for (const [what, pattern] of faults) {
      const [hit] = pattern.exec(shown) ?? [];
      if (hit !== undefined) found.push(`${command} has ${what}: ${hit} in ${shown}`);
    }
  }
  expect(found).toEqual([]);
}, 90_000);
