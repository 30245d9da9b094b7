import fc from "fast-check";
import { expect, test } from "vitest";
import { choiceMessage, errorAnswer, privateAnswer } from "../../src/messages/answers/answers.ts";
import { errorText } from "../../src/messages/answers/error-text.ts";
import { listAnswer } from "../../src/messages/answers/list.ts";
import { offerTo } from "../../src/messages/answers/offer.ts";
import { indexEntry } from "../../src/operation/target.ts";
import { registry } from "../../src/operations/index.ts";
import { cancel } from "../../src/operations/vps/cancel.ts";
import { vpsCard } from "../../src/operations/vps/show.ts";
import { vps } from "../../src/operations/vps/vps.ts";
import type { CustomerClient } from "../../src/platform/customer/client.ts";
import { Vps } from "../../src/platform/customer/vps.ts";
import { PlatformRefused } from "../../src/platform/http/errors.ts";
import { untaken } from "../../src/policy/responsibility/responsibility.ts";
import { characters } from "../../src/process/plain-text.ts";
import { TargetOutcome } from "../../src/requests/facets/bulk/record.ts";
import { askedBlocks, workBlocks } from "../../src/requests/facets/bulk/view.ts";
import { pendingMessage } from "../../src/requests/pending-view.ts";
import { Request } from "../../src/requests/request.ts";
import { decidedMessage } from "../../src/requests/view.ts";
import { lengthOf, refusedBlocks } from "../../src/sandbox/slack/blocks/blocks.ts";
import type { Message } from "../../src/views/blocks.ts";
import { fitted } from "../../src/views/fit.ts";
import { clip, code } from "../../src/views/text.ts";
import { customerLink } from "../members/identities/links.ts";
import { customerClient, readWith } from "../platform/clients.ts";
import { vpsRow } from "../platform/customer/rows.ts";
import { bulkOf, requestOf } from "../requests/requests.ts";

const link = customerLink({ scopes: ["read", "services", "destructive"] });
const offer = offerTo({ member: "T:U", customer: link, reseller: null }, registry);
const may = () => true;

/** Names of 0 to 10,000 characters, of any Unicode, and some that mean harm. */
const name = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.string({ unit: "binary", maxLength: 3_000 }),
  fc.constantFrom("", "<!channel>", "&".repeat(10_000), "`".repeat(10_000), "<".repeat(3_000), "👩‍👩‍👧‍👦".repeat(900)),
);

const machine = fc
  .record({ name, hostname: fc.option(name), os: fc.option(name), product: name, project: name, reason: name })
  .map(({ name: called, hostname, os, product, project, reason }) =>
    Vps.parse(
      vpsRow({
        name: called,
        hostname,
        product: { id: "p", name: product },
        project: { id: "p", slug: "p", name: project },
        failure: { code: "unknown", message: reason },
        instance: { ...vpsRow().instance, os },
      }),
    ),
  );

function expectAccepted(message: Message): void {
  const { text, blocks } = fitted(message);
  expect(refusedBlocks(blocks)).toEqual([]);
  expect(lengthOf(blocks)).toBeLessThanOrEqual(13_000);
  // Nothing but our own dates and mentions is markup: no name can mention or link.
  for (const shown of [text, ...markupIn(blocks)]) expect(shown).not.toMatch(/<(?!!date\^|@U0REQUESTER>)/);
}

/** Every text that Slack reads as mrkdwn. */
function markupIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(markupIn);
  if (typeof part !== "object" || part === null) return [];
  if ("type" in part && part.type === "mrkdwn" && "text" in part) return [String(part.text)];
  return Object.values(part).flatMap(markupIn);
}

test("a card of any machine is accepted", () => {
  fc.assert(
    fc.property(machine, (one) => {
      const card = vpsCard(one, (value) => value);
      for (const details of [false, true])
        expectAccepted(
          privateAnswer(card, {
            offer,
            name: one.name,
            invocation: { command: "vps show", input: {}, details },
            shareLabel: null,
          }),
        );
    }),
    { numRuns: 100 },
  );
});

test("a list and a picker of any machines are accepted", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(machine, { minLength: 1, maxLength: 10 }), name, async (rows, text) => {
      const call = {
        id: "1",
        client: customerClient(),
        may,
        actor: { member: "T:U", slackUser: "U", keyLabel: "k", project: null },
        confinedTo: null,
        changesState: () => false,
        target: null,
        input: { page: 1, text: text.slice(0, 250) },
        now: 0,
        listing: async () => ({
          entries: rows.map((row) => indexEntry(vps, { ...row, name: `${text}${characters(row.name)}` })),
          unnamed: 0,
          at: 0,
        }),
      };
      const options = { kind: vps, command: "vps list", open: "vps show", many: "VPSes", mark: () => ":x:" };
      const answer = await listAnswer(call, options);
      expectAccepted(
        privateAnswer(answer, {
          offer,
          name: "",
          invocation: { command: "vps list", input: {} },
          shareLabel: "Show to channel",
        }),
      );
      const candidates = rows.map((row) => ({ id: row.id, label: row.name || "x" }));
      const invocation = { command: "vps cancel", target: text, input: { reason: text } };
      const picks = candidates.map(({ id, label }) => {
        return { label, operation: cancel, invocation: { ...invocation, target: id } };
      });
      expectAccepted(choiceMessage(code(text), picks));
    }),
    { numRuns: 60 },
  );
});

test("a request about any machine is accepted, in every state and with its dialog", async () => {
  await fc.assert(
    fc.asyncProperty(machine, name, fc.constantFrom(...Request.shape.state.options), async (one, reason, state) => {
      const call = {
        id: "1",
        client: answering(one),
        may,
        actor: { member: "T:U", slackUser: "U", keyLabel: "k", project: null },
        confinedTo: null,
        changesState: () => false,
        targetId: one.id,
        input: { immediate: true, reason: clip(`at least ${reason}`, 500) },
        now: 0,
        listing: () => Promise.reject(new Error("not here")),
      };
      const act = await cancel.bind(call).begin(call);
      const review = await act.review();
      const request = requestOf({
        state,
        command: "vps cancel",
        verb: "Cancel",
        reason,
        target: act.target,
        requester: { slackUser: "U0REQUESTER", keyLabel: reason },
        review: {
          press: clip(`Cancel ${reason}`, 300),
          back: clip(`Keep ${reason}`, 300),
          described: act.described,
          loss: [review.consequence, ...review.warnings],
          preconditions: review.preconditions,
          shown: review.shown,
        },
      });
      const pending = state === "pending";
      expectAccepted(
        pending
          ? pendingMessage(request, { alone: true, listed: [], responsibility: untaken })
          : decidedMessage(request, []),
      );
    }),
    { numRuns: 100 },
  );
});

const target = fc
  .record({ id: fc.uuid(), name, state: name, project: name, fact: name })
  .map(({ fact, project, ...one }) => ({
    ...one,
    hostname: null,
    address: fact,
    addressIs: "read" as const,
    location: null,
    place: null,
    project: { id: project, name: project },
    preconditions: { disk: { value: fact, label: "Disk", text: code(fact) } },
    price: "unknown" as const,
  }));

test("a request for any machines is accepted, while it waits, is worked on and has ended", () => {
  fc.assert(
    fc.property(
      fc.array(target, { minLength: 1, maxLength: 60 }),
      name,
      fc.constantFrom(...TargetOutcome.options),
      fc.constantFrom("pending" as const, "working" as const, "failed" as const),
      (targets, reason, outcome, state) => {
        const bulk = bulkOf(
          targets.map(() => outcome),
          { nouns: "VPSes", projects: [null], counted: targets.length > 10 },
        );
        const request = requestOf({
          requester: { slackUser: "U0REQUESTER" },
          state,
          bulk,
          target: null,
          review: { loss: [`Each ends: ${code(reason)}`] },
          verb: "Cancel VPSes",
        });
        const listed = askedBlocks(request, targets);
        const reasons = targets.slice(0, 8).map(({ name }) => ({ name, at: 0, why: code(reason, 2_000) }));
        const blocks = workBlocks(request, targets, { reasons, others: 3 });
        expectAccepted(
          state === "pending"
            ? pendingMessage(request, { alone: false, listed, responsibility: untaken })
            : decidedMessage(request, blocks),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test("any words of the platform make an answer that is accepted", () => {
  fc.assert(
    fc.property(name, fc.array(fc.record({ field: name, message: name }), { maxLength: 30 }), (reason, details) => {
      const error = new PlatformRefused(
        { api: "customer", method: "POST", path: "/vps" },
        { status: 400, code: "X", reason, details },
      );
      expectAccepted(errorAnswer(errorText(error, 0), offer, { correct: null, delegate: null }));
    }),
    { numRuns: 100 },
  );
});

/** A platform that has this one machine. */
function answering(row: Vps): CustomerClient<string> {
  return customerClient({
    get: async (_path, schema) => readWith(schema, { success: true, data: row }),
  });
}
