import { expect, test } from "vitest";
import { requestBlocks } from "../../src/operations/rackbell/requests.ts";
import { untaken } from "../../src/policy/responsibility/responsibility.ts";
import { overrideMessage } from "../../src/requests/facets/override/view.ts";
import { passkeyPage } from "../../src/requests/facets/passkey/page.ts";
import { scheduleRow, startMessage } from "../../src/requests/facets/schedule/view.ts";
import { partlyVisible } from "../../src/requests/partly-visible.ts";
import { detailsMessage, pendingMessage } from "../../src/requests/pending-view.ts";
import type { Request } from "../../src/requests/request.ts";
import { type RequestState, stateNames, states } from "../../src/requests/states.ts";
import {
  approvedMessage,
  calledMessage,
  decidedMessage,
  endingMessage,
  raisedMessage,
  reminderMessage,
} from "../../src/requests/view.ts";
import { overrideOf, requestOf } from "./requests.ts";

const agent = { id: "a1", name: "claude", client: "claude-code", why: "It hangs", digest: "d1" };
const schedule = { at: 9, zone: "UTC", said: "", since: 1, begunAt: null, moves: 0, movedFrom: null };
const override = overrideOf({ slackUser: "U3" });
const may = new Set(["approve", "deny", "withdraw", "review", "move"] as const);
const ana = { id: "U1", name: "Ana", zone: "UTC", admin: false, deleted: false, outsider: null };
const people = { person: async () => ana };
const listed = { may, visibility: "whole" } as const;

/** Every text in which somebody reads of a request, beside the short notes below its own message. */
const texts: [string, (request: Request) => unknown][] = [
  ["the message", (request) => pendingMessage(request, { alone: false, listed: [], responsibility: untaken })],
  [
    "the requester's message",
    (request) => pendingMessage(request, { alone: true, listed: [], responsibility: untaken }),
  ],
  ["the details", (request) => detailsMessage(request, { alone: false, listed: [], responsibility: untaken, may })],
  ["the list", (request) => requestBlocks({ ...listed, request })],
  [
    "the list of overrides to review",
    (request) => requestBlocks({ ...listed, request: { ...request, overrides: [override] } }),
  ],
  [
    "the list of schedules",
    (request) => scheduleRow({ ...listed, request: { ...request, state: "scheduled", schedule } }),
  ],
  ["the call of a new approver", (request) => calledMessage(request, { slackUser: "U2", at: 0, insteadOf: null })],
  ["the call after a stricter rule", raisedMessage],
  ["the reminder", reminderMessage],
  ["the emergency override", (request) => overrideMessage(request, override)],
];

test.each(texts)("%s says which agent of whom proposed it, and why", (_, draw) => {
  for (const mode of ["self", "peer"] as const) {
    const text = JSON.stringify(draw(requestOf({ agent, mode, needed: 1 })));
    expect(text).toContain("`claude`, an agent of <@U1>");
    expect(text).toContain("It hangs");
    expect(text).not.toContain("asked by <@U1>");
  }
});

test("the page that asks for a passkey says so without Slack's marks", async () => {
  const { facts } = await passkeyPage({ people }, requestOf({ agent }), {}, [], "U1");
  expect(facts).toContainEqual({ label: "Proposed by", value: "claude, an agent of @Ana (U1)" });
  expect(facts).toContainEqual({ label: "Its reason, in its own words", value: "It hangs" });
});

test.each(stateNames)("the message of a request that is %s names the agent and its reason", (state) => {
  const text = JSON.stringify(decidedMessage(requestOf({ agent, state, outcome: "So." }), []));
  expect(text).toContain("proposed by `claude`, an agent of <@U1>");
  expect(text).toContain("It hangs");
});

const isOver = (state: RequestState) => states[state].phase === "ended";

test("the replies in its thread name the agent", () => {
  for (const state of stateNames.filter(isOver))
    expect(endingMessage(requestOf({ agent, state, outcome: "So." }), { apart: false }).text).toContain(
      "an agent of <@U1>",
    );
  expect(startMessage(requestOf({ agent, schedule })).text).toContain("Proposed by `claude`, an agent of <@U1>.");
  expect(approvedMessage(requestOf({ agent }), "claimed").text).toContain("the request of your agent `claude`");
});

test("a viewer who sees a part of it reads that an agent proposed it, and not why", () => {
  const request = requestOf({ agent });
  const named = JSON.stringify(partlyVisible({ request, visibility: "named", may }));
  expect(named).toContain("proposed by `claude`, an agent of <@U1>");
  const waiting = JSON.stringify(partlyVisible({ request, visibility: "waiting", may }));
  expect(waiting).toContain("A request of an agent of <@U1>");
  expect(named + waiting).not.toContain("It hangs");
});
