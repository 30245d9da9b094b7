import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newestEntries } from "../../src/audit/audit.ts";
import { ran } from "../../src/audit/kinds.ts";
import { ocsfEvent } from "../../src/audit/ocsf.ts";
import type { Amendment, Request } from "../../src/requests/request.ts";
import {
  type Cell,
  cellOf,
  events,
  type RequestEvent,
  type RequestState,
  type StateFacts,
  stateAfter,
  stateNames,
  states,
} from "../../src/requests/states.ts";
import { step } from "../../src/requests/step.ts";
import { amend, readRequest, storeFirst } from "../../src/requests/store.ts";
import { auditNote, expectedEvents, openApp, requestOf } from "./requests.ts";

const eventNames = Object.keys(events).filter((name): name is RequestEvent => name in events);
const standing: StateFacts = {
  state: "pending",
  mode: "peer",
  ruling: { passkey: false },
  unsettled: null,
  backupFirst: null,
  bulk: null,
  form: null,
  overrides: [],
};

test("a request that ended stays as it ended, whatever happens; only an override can still be reviewed", () => {
  for (const state of stateNames.filter((name) => states[name].phase === "ended"))
    for (const event of eventNames) {
      const cell = cellOf(event, { ...standing, state, overrides: [{ reviewedBy: null }] });
      expect([event, cell?.to ?? null]).toEqual([event, event === "review" ? "same" : null]);
    }
});

/** Every state that a request can come to, and whether its sealed input can still be there. */
function reached(from: StateFacts): Set<string> {
  const seen = new Set<string>();
  function walk(request: StateFacts, hasInput: boolean): void {
    const name = `${request.state} ${hasInput ? "with" : "without"} input`;
    if (seen.has(name)) return;
    seen.add(name);
    for (const event of eventNames) {
      const cell = cellOf(event, request);
      if (!cell) continue;
      const state = stateAfter(cell, request);
      walk({ ...request, state }, hasInput && !cell.erases?.includes("input"));
    }
  }
  for (const event of eventNames) {
    const cell = cellOf(event, null);
    if (cell) walk({ ...from, state: stateAfter(cell, from) }, !cell.erases?.includes("input"));
  }
  return seen;
}

const standings: [string, StateFacts][] = [
  ["a request", standing],
  ["one that was sent once with an unknown outcome", { ...standing, unsettled: { found: "unknown" } }],
  ["one that its requester decides alone", { ...standing, mode: "self" }],
  ["one whose backup is being taken", { ...standing, backupFirst: { step: "taking" } }],
  ["one whose backup is there", { ...standing, backupFirst: { step: "taken" } }],
  ["one whose act followed its backup", { ...standing, backupFirst: { step: "acting" } }],
];

describe("on every way to its end", () => {
  test.each(standings)("%s loses its input", (_, from) => {
    const ended = [...reached(from)].filter((name) => states[stateIn(name)].phase === "ended");
    expect(ended.length).toBeGreaterThan(3);
    expect(ended.filter((name) => name.endsWith("with input"))).toEqual([]);
  });
});

function stateIn(name: string): RequestState {
  return stateNames.find((state) => name.startsWith(`${state} `)) ?? "pending";
}

test("every state can be reached", () => {
  const all = new Set([
    ...[...reached(standing)].map(stateIn),
    ...[...reached({ ...standing, unsettled: { found: "unknown" } })].map(stateIn),
  ]);
  expect([...all].toSorted()).toEqual([...stateNames].toSorted());
});

describe("in every state", () => {
  test.each(standings)("%s can come to an end", (_, from) => {
    // The states from which some event leads to an end, directly or by others.
    const ending = new Set(stateNames.filter((name) => states[name].phase === "ended"));
    for (let size = 0; size < ending.size; ) {
      size = ending.size;
      for (const state of stateNames)
        if (eventNames.some((event) => ending.has(nextState(event, { ...from, state })))) ending.add(state);
    }
    expect([...ending].toSorted()).toEqual([...stateNames].toSorted());
  });

  test.each(standings)("in which nothing was sent, %s can be withdrawn and cancelled", (_, from) => {
    const waiting = stateNames.filter((name) => !states[name].sent && states[name].phase !== "ended");
    expect(waiting).toContain("pending");
    for (const state of waiting)
      for (const event of ["withdraw", "void"] as const) {
        const next = nextState(event, { ...from, state });
        expect([state, event, states[next].phase]).toEqual([state, event, "ended"]);
      }
  });
});

function nextState(event: RequestEvent, request: StateFacts): RequestState {
  const cell = cellOf(event, request);
  return cell ? stateAfter(cell, request) : request.state;
}

/** All cells of the table, with their events and phases. */
const allCells = eventNames.flatMap((event) => {
  const { otherwise: _, ...row }: { otherwise: string; [phase: string]: Cell | readonly Cell[] | string } =
    events[event];
  return Object.entries(row).flatMap(([phase, cells]) =>
    typeof cells === "string" ? [] : ("to" in cells ? [cells] : cells).map((cell) => ({ event, phase, cell })),
  );
});

test("a change that is found afterwards counts as the act of a request that ran, and never as that of one that waits", () => {
  for (const { event, phase, cell } of allCells) {
    if (cell.to === "same") continue;
    const runs = cell.to === "begun" || cell.to === "unknown" || states[cell.to].accepted;
    const step = `${event} from ${phase}`;
    // Nothing was sent before, so that any other entry is no run. A refusal after the sending may be one.
    if (["new", "pending", "scheduled"].includes(phase)) expect([step, ran.has(cell.entry)]).toEqual([step, runs]);
    else if (runs && phase !== "working") expect([step, ran.has(cell.entry)]).toEqual([step, true]);
  }
});

test("a request that was sent and is not sent again is undecided, and never counts as not done", () => {
  for (const event of ["deny", "withdraw", "void", "expire"] as const)
    expect(cellOf(event, { ...standing, unsettled: { found: "unknown" } })).toMatchObject({
      to: "undecided",
      erases: ["input"],
    });
});

test("an event that cannot happen in a state changes nothing of the request", async () => {
  const { app } = await openApp();
  const request = await storeFirst(app, requestOf({ state: "done", input: { sealed: null } }), auditNote);
  for (const event of eventNames) expect(await step(app, request, event, { outcome: "It happened." })).toBeNull();
  expect(await readRequest(app, "r1")).toEqual(request);
  expect((await newestEntries(app, { limit: 10 })).map(({ entry }) => entry.what)).toEqual(["asked"]);
});

describe("in the OCSF export", () => {
  /** The statuses of the exported entries after some events, from the oldest on. */
  async function statusesAfter(state: RequestState, steps: readonly (readonly [RequestEvent, Amendment?])[]) {
    const { app } = await openApp();
    let request: Request | null = await storeFirst(app, requestOf({ state }), auditNote);
    for (const [event, change] of steps) request = request && (await step(app, request, event, change));
    const entries = await newestEntries(app, { limit: 10 });
    return entries
      .toReversed()
      .slice(1)
      .map((found) => ocsfEvent(found))
      .map((event) => ("status" in event ? event.status : null));
  }

  test.each<[string, RequestState, [RequestEvent, Amendment?][], string[]]>([
    ["an act that is done at once succeeded", "claimed", [["succeed"]], ["Success"]],
    [
      "one whose end the platform never says was accepted",
      "claimed",
      [["succeed", { endUnknown: true }]],
      ["Accepted"],
    ],
    ["a job was accepted, and then it succeeded", "claimed", [["track"], ["succeed"]], ["Accepted", "Success"]],
    ["a job was accepted, and then it failed", "claimed", [["track"], ["fail"]], ["Accepted", "Failure"]],
    ["a job was accepted, and then lost from sight", "claimed", [["track"], ["leave"]], ["Accepted", "Unknown"]],
    ["a lost answer is unknown until it is found", "claimed", [["loseAnswer"], ["succeed"]], ["Unknown", "Success"]],
    ["a lost answer stays unknown", "claimed", [["loseAnswer"], ["giveUp"]], ["Unknown", "Unknown"]],
    ["a refusal that may pass is a failure", "claimed", [["reopen"], ["expire"]], ["Failure", "expired"]],
    [
      "a decision is named, and has no result",
      "pending",
      [["approveInPart"], ["deny"]],
      ["approved in part", "denied"],
    ],
  ])("%s", async (_, state, steps, statuses) => {
    expect(await statusesAfter(state, steps)).toEqual(statuses);
  });

  test("an entry without a result has its kind as its status, and so has one of another version", () => {
    const entry = {
      ...{ member: "T1:U1", slackUser: "U1", decidedBy: null, keyLabel: "ana", command: "vps cancel" },
      ...{ target: null, outcome: "", request: "r1" },
    };
    const statusOf = (what: string) => ocsfEvent({ id: "1", at: 1, entry: { ...entry, what } });
    expect(statusOf("refused")).toMatchObject({ status_id: 2, status: "Failure" });
    expect(statusOf("ended")).toMatchObject({ status_id: 99, status: "ended" });
    expect(statusOf("a kind of another version")).toMatchObject({ status_id: 99, status: "a kind of another version" });
  });
});

test("an amendment in the same moment keeps no request from its end, and is kept; a step, or an amendment of the same field, does", async () => {
  const { app } = await openApp();
  const event = { id: "e1", event: "service.provisioned", at: 1, line: "is ready" };
  const ended = await storeFirst(app, requestOf({ id: "r1", state: "working", events: expectedEvents }), auditNote);
  await amend(app, ended, { events: { ...expectedEvents, received: [event] } }, { aside: true });
  expect(await step(app, ended, "succeed", { outcome: "It ended." })).toMatchObject({ events: { received: [event] } });
  expect(await readRequest(app, "r1")).toMatchObject({
    state: "done",
    outcome: "It ended.",
    events: { received: [event] },
  });
  expect(await step(app, ended, "fail", { outcome: "It failed." })).toBeNull();

  const amended = await storeFirst(app, requestOf({ id: "r2", state: "working" }), auditNote);
  await amend(app, amended, { outcome: "It goes on." });
  expect(await step(app, amended, "succeed", { outcome: "It ended." })).toBeNull();

  const approved = await storeFirst(app, requestOf({ id: "r3", mode: "peer", needed: 2 }), auditNote);
  const by = (member: string) => ({
    approvals: [{ member, slackUser: member, at: 1, key: member, users: [], keys: [] }],
  });
  expect(await step(app, approved, "approveInPart", by("T1:U2"), { by: "U2" })).not.toBeNull();
  expect(await step(app, approved, "approveInPart", { outcome: "Another one." }, { by: "U2" })).toBeNull();
});

test("the steps by the table are the only way to a state", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const writers = sources.filter((name) => /\bstore(Step|First)\b/.test(readFileSync(join("src", name), "utf8")));
  // The bench fills a store with requests that go on, without their messages.
  expect(writers.filter((name) => !name.startsWith("sandbox/")).toSorted()).toEqual([
    "requests/step.ts",
    "requests/store.ts",
  ]);
});

test("no approval counts for another act or another order than its approver was shown", () => {
  for (const event of ["askAboutRepeat", "chooseBackup", "leaveBackup", "move"] as const)
    expect([event, cellOf(event, standing)?.erases]).toEqual([event, ["decision"]]);
});
