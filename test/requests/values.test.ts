import { describe, expect, test } from "vitest";
import { interruptionMessage } from "../../src/messages/answers/answers.ts";
import { type Field, fieldsOf, isSecret } from "../../src/operation/fields.ts";
import { describeInput } from "../../src/operation/input.ts";
import { operations } from "../../src/operations/index.ts";
import { requestBlocks } from "../../src/operations/rackbell/requests.ts";
import { untaken } from "../../src/policy/responsibility/responsibility.ts";
import { confirmationDialog } from "../../src/requests/dialog.ts";
import { passkeyPage } from "../../src/requests/facets/passkey/page.ts";
import { scheduleRow } from "../../src/requests/facets/schedule/view.ts";
import { detailsMessage, pendingMessage, shortMessage } from "../../src/requests/pending-view.ts";
import type { Request } from "../../src/requests/request.ts";
import { decidedMessage, reminderMessage } from "../../src/requests/view.ts";
import { refusedBlocks } from "../../src/sandbox/slack/blocks/blocks.ts";
import { said } from "../../src/sandbox/slack/server.ts";
import { unmarked } from "../../src/views/text.ts";
import { requestOf } from "./requests.ts";

/** A value of each kind of input, and the texts by which people recognise it. */
const samples: Record<Field["kind"], (field: Field) => { value: unknown; texts: string[] }> = {
  text: ({ name }) => ({ value: `sample ${name}`, texts: [`sample ${name}`] }),
  moment: () => ({ value: "2027-03-01 10:00", texts: ["2027-03-01 10:00"] }),
  lines: ({ name }) => ({ value: `path=/srv/${name}`, texts: [`path=/srv/${name}`] }),
  number: () => ({ value: 64_500, texts: ["64500"] }),
  toggle: ({ label }) => ({ value: true, texts: [label, "yes"] }),
  select: ({ options: [first = ""] }) => ({ value: first, texts: [first] }),
  several: () => ({ value: ["first one", "second one"], texts: ["first one", "second one"] }),
  channel: () => ({ value: "C42", texts: ["C42"] }),
  channels: () => ({ value: "C42, C43", texts: ["C42, C43"] }),
  person: () => ({ value: "U42", texts: ["U42"] }),
  people: () => ({ value: "@U42 @S42", texts: ["@U42 @S42"] }),
  group: () => ({ value: "@S42", texts: ["@S42"] }),
  password: ({ label }) => ({ value: "hidden-from-all", texts: [label, "(secret)"] }),
  secret: ({ label }) => ({ value: "hidden-from-all", texts: [label, "(secret)"] }),
  // The review lists the products, and the fields of the provider.
  rows: () => ({ value: [], texts: [] }),
  record: () => ({ value: { slots: "10" }, texts: [] }),
  file: () => ({ value: { name: "world.zip", content: "AAAA" }, texts: ["world.zip", "3 B"] }),
};

const writing = operations.filter(({ risk, input }) => risk !== "read" && fieldsOf(input).length > 0);

/** The texts that a member reads before and after an input is sent. */
function shownOf(request: Request): Record<string, string> {
  const {
    review: { described },
  } = request;
  const question = interruptionMessage(
    { verb: request.verb, name: "web-1" },
    { command: request.command, input: {} },
    "It stops.",
    described,
  );
  return {
    "the details of the request": said(
      detailsMessage(request, { alone: false, listed: [], responsibility: untaken, may: null }),
    ),
    "the dialog": confirmationDialog(request).text.text,
    "the question before an interruption": said(question),
    "the result": said(decidedMessage({ ...request, state: "done", outcome: "The platform accepted it." }, [])),
    "the result of what was done at once": said(
      decidedMessage({ ...request, mode: "none", state: "done", outcome: "The platform accepted it." }, []),
    ),
  };
}

describe("every value that is sent is shown in the request, its dialog, the question and the result", () => {
  test.each(writing.map((operation) => [operation.command, operation] as const))("%s", (command, { input, verb }) => {
    for (const field of fieldsOf(input)) {
      const { value, texts } = samples[field.kind](field);
      const described = describeInput(input, { [field.name]: value });
      const shown = shownOf(requestOf({ command, verb, review: { described }, mode: "peer" }));
      for (const [place, text] of Object.entries(shown)) {
        for (const each of texts) expect.soft(text, `${field.name} in ${place}`).toContain(each);
        if (isSecret(field)) expect(text).not.toContain("hidden-from-all");
      }
    }
  });
});

const facts: [label: string, value: string][] = [
  ["Project", "Production"],
  ["Address", "192.0.2.7"],
  ["Host name", "db.example.test"],
  ["Location", "Frankfurt"],
  ["Why", "It is no longer needed"],
  ["Sent", "sent-1"],
  ["Checked", "checked-1"],
  ["Shown", "shown-1"],
  ["Collected", "collected-1"],
  ["Add-ons", "add-ons-1"],
  ["So far", "It was not done so far"],
  ["The backup", "First Rackbell captures web-1 (billed for 100 GB), then it cancels it."],
  ["The rule", "Everything of this kind needs one approval"],
];
const long = "It has many words. ".repeat(150);
const personal = { label: "Balance", value: "250.00 EUR" };
const known = requestOf({
  identity: {
    ...{ project: { id: "p1", name: "Production" }, address: "192.0.2.7", addressIs: "read" },
    ...{ hostname: "db.example.test", location: "de1", place: "Frankfurt" },
  },
  reason: "It is no longer needed",
  originator: "U9",
  review: {
    described: [{ label: "Sent", value: "sent-1" }],
    preconditions: { checked: { value: 1, label: "Checked", text: "checked-1" } },
    shown: [
      { label: "Shown", value: "shown-1" },
      { label: "Collected", value: `collected-1 ${long}`, decides: "known" },
      { label: "Add-ons", value: `${long} add-ons-1`, decides: "unknown" },
    ],
    personal: [personal],
  },
  outcome: "It was not done so far.",
  ruling: { rule: "Everything of this kind needs one approval." },
  backupFirst: {
    ...{ command: "vps capture", label: "Back up first", words: "This captures web-1.", terms: "billed for 100 GB" },
    ...{ newest: "none", rule: null, does: "captures", title: "Capture", name: "web-1 copy", step: "chosen" },
    ...{ chosenBy: "U1", changedAt: null, made: [], next: [] },
  },
});
const people = {
  person: async (id: string) => ({ id, name: id, zone: "UTC", admin: false, deleted: false, outsider: null }),
};

test.each([
  ["others decide", { mode: "peer", needed: 1 }, false],
  ["its requester alone decides", { risk: "spend", mode: "self" }, true],
] as const)("no view before the decision lacks a fact where %s", async (_, change, alone) => {
  const request = { ...known, ...change };
  const page = await passkeyPage({ people }, request, {}, [], "U1");
  const views = {
    "the message": said(pendingMessage(request, { alone, listed: [], responsibility: untaken })),
    "the details": said(detailsMessage(request, { alone, listed: [], responsibility: untaken, may: null })),
    "the page for a passkey": JSON.stringify(page.facts),
    "the dialog": confirmationDialog(request, request.backupFirst).text.text,
    "the list": said({ text: "", blocks: requestBlocks({ request, visibility: "whole", may: new Set() }) }),
    ...(alone ? {} : { "the message to one who only pays": said(shortMessage(request, [])) }),
  };
  for (const [place, text] of Object.entries(views)) {
    const missing = elsewhere[place] ?? [];
    for (const [label, value] of facts) {
      if (!missing.includes(label)) expect.soft(unmarked(text), `${label} in ${place}`).toContain(value);
    }
    if (missing.length > 0) continue;
    expect.soft(text.includes(personal.value), `${personal.label} in ${place}`).toBe(alone);
    expect.soft(text, place).toContain("U9");
  }
});

/** The facts that a view leaves to the card behind it or to *Details…*. The page for a passkey has the backup's own words. */
const elsewhere: Record<string, string[]> = {
  "the dialog": ["Why", "Checked", "Shown", "Collected", "Add-ons", "So far", "The rule"],
  "the list": ["Why", "The rule"],
  "the page for a passkey": ["The backup"],
};

test("facts that a message has no room for are named in it, and the details show them", () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ label: `Fact ${at}`, value: `value-${at}` }));
  const request = requestOf({ mode: "peer", needed: 1, review: { shown: many } });
  const message = said(pendingMessage(request, { alone: false, listed: [], responsibility: untaken }));
  const details = said(detailsMessage(request, { alone: false, listed: [], responsibility: untaken, may: null }));
  for (const { label, value } of many) {
    expect.soft(message).toMatch(new RegExp(`${value}\\b|“${label}”`));
    expect.soft(details).toContain(value);
  }
});

const names = Array.from({ length: 60 }, (_, at) => `\`node-${at}.workers.kubernetes-prod.eu-central-1.example.com\``);

test("a loss that is longer than a section of Slack's is shown whole, in bold, wherever somebody decides or reads on", () => {
  const loss = [`All data of ${names.join(", ")} will be lost.`, "Their backups stay."];
  const request = requestOf({ mode: "peer", needed: 1, review: { loss } });
  const visible = { request, visibility: "whole", may: new Set<never>() } as const;
  const shown = {
    message: pendingMessage(request, { alone: false, listed: [], responsibility: untaken }).blocks,
    details: detailsMessage(request, { alone: false, listed: [], responsibility: untaken, may: null }).blocks,
    short: shortMessage(request, []).blocks,
    list: requestBlocks(visible),
    schedules: scheduleRow(visible),
    reminder: reminderMessage(request).blocks,
    record: decidedMessage({ ...request, state: "done", outcome: "They are gone." }, []).blocks,
  };
  for (const [place, blocks] of Object.entries(shown)) {
    const text = said({ text: "", blocks });
    expect.soft(refusedBlocks(blocks), place).toEqual([]);
    for (const part of [...names, "Their backups stay."]) expect.soft(text, place).toContain(part);
    for (const line of text.split("\n")) expect.soft((line.match(/\*/g) ?? []).length % 2, line).toBe(0);
  }
});

test("one who only pays reads every value that is sent and checked, however long they are", () => {
  const described = names
    .slice(0, 8)
    .map((name, at) => ({ label: `Value ${at}`, value: `${name} ${"x".repeat(900)}` }));
  const request = requestOf({ mode: "peer", needed: 1, review: { described } });
  const text = said(shortMessage(request, []));
  for (const { label, value } of described) expect.soft(text).toContain(`*${label}*\n${value}`);
});

const withBackup = operations.filter((operation) => "backupFirst" in operation && operation.backupFirst !== undefined);

test.each(withBackup.map(({ command, verb }) => [command, verb] as const))(
  "the dialog of %s with a backup before it has the price only beside the act, which its button names",
  (command, verb) => {
    const target = { id: "vps-1", name: "web-2.a-long-name.example.test" };
    const of = (price: Request["price"]) => {
      const request = requestOf({ command, verb, price, target, review: { press: `${verb} ${target.name}` } });
      return confirmationDialog(request, known.backupFirst).confirm?.text ?? "";
    };
    const priced = of({ amount: "4.04", currency: "EUR" });
    expect(priced).toContain("4.04 EUR");
    expect(priced).toMatch(new RegExp(`^(Yes, |Back up first, then )?${verb.replace(/ .*/, "")}`, "i"));
    expect(of(null)).toMatch(/^(Back up first, then \w|Yes, back up first$)/);
  },
);

test("values that a dialog has no room for are not cut: the dialog points at the details, which show them", () => {
  const described = [1, 2, 3, 4].map((at) => ({ label: `Value ${at}`, value: "x".repeat(100) + at }));
  const request = requestOf({ review: { described } });
  expect(confirmationDialog(request).text.text).toBe("web-1: It ends. See Details for the rest.");
  for (const { value } of described)
    expect(said(detailsMessage(request, { alone: false, listed: [], responsibility: untaken, may: null }))).toContain(
      value,
    );
});

test("a value that the sentence beside it names already is not repeated, and a part of a longer name is no name", () => {
  const described = [{ label: "Host name", value: "`db1`" }];
  const textOf = (loss: string) =>
    confirmationDialog(requestOf({ review: { described, loss: [loss] }, target: null })).text.text;
  expect(textOf("The reverse name becomes `db1`.")).toBe("The reverse name becomes db1.");
  expect(textOf("The disk of `db1-2` is erased.")).toBe("The disk of db1-2 is erased. Host name: db1.");
  expect(textOf("The disk of `olddb1` is erased.")).toBe("The disk of olddb1 is erased. Host name: db1.");
});

test("the dialog and the page for a passkey name the machine and the values that will run, whatever characters they have", async () => {
  const address = "2001:db8::beef:1";
  const request = requestOf({
    target: { id: "v1", name: "web*-1" },
    identity: { ...known.identity, address },
    review: {
      described: [{ label: "Path", value: "`/logs/*.gz`" }],
      loss: ["`web*-1` ends, and so does `db :old: 1`."],
    },
  });
  const page = await passkeyPage({ people }, request, {}, [], "U1");
  const dialog = confirmationDialog(request).text.text;
  expect(dialog).toContain("web*-1 ends, and so does db :old: 1.");
  expect(dialog).toContain(`Address: ${address}.`);
  expect(dialog).toMatch(/ Path: \/logs\/\*\.gz\.$/);
  expect(page.loss).toBe("web*-1 ends, and so does db :old: 1.");
  expect(page.title).toContain("web*-1");
  expect(page.facts).toContainEqual({ label: "Address", value: address });
  expect(page.facts).toContainEqual({ label: "Path", value: "/logs/*.gz" });
});

test("a value that replaces a known one stands behind it", () => {
  const change = operations.find(({ command }) => command === "project change");
  const input = { name: "Production", description: "Shops" };
  const current = { name: "Staging", description: null, color: "#ff0000" };
  expect(change && describeInput(change.input, input, { current })).toEqual([
    { label: "New name", value: "`Staging` → `Production`" },
    { label: "New description", value: "none → `Shops`" },
  ]);
});
