import { expect, test } from "vitest";
import { newestEntries } from "../../src/audit/audit.ts";
import { peopleOf } from "../../src/audit/kinds.ts";
import { ocsfEvent } from "../../src/audit/ocsf.ts";
import type { Request } from "../../src/requests/request.ts";
import { cellOf, events, type PressEvent, stateNames } from "../../src/requests/states.ts";
import { begin, step } from "../../src/requests/step.ts";
import { storeFirst } from "../../src/requests/store.ts";
import { auditNote, bulkOf, firstSending, openApp, overrideOf, requestOf } from "./requests.ts";

const agent = { id: "a1", name: "claude", client: "claude-code", why: "It hangs", digest: "d1" };
const isPress = (name: string): name is PressEvent => Object.hasOwn(events, name) && presses.includes(name);
const presses = Object.entries(events).flatMap(([name, { otherwise }]) => (otherwise === "answered" ? [name] : []));

const bulk = bulkOf(["running", "waiting"], { projects: [null] });
const backup = {
  command: "vps capture",
  label: "Capture it",
  words: "",
  terms: "",
  newest: "never",
  rule: null,
  does: "captures",
  chosenBy: null,
  changedAt: null,
  made: [],
  title: "",
  name: "b",
};
const standings: Partial<Omit<Request, "requester" | "input" | "review" | "ruling">>[] = [
  {},
  { unsettled: firstSending },
  { mode: "peer" },
  { bulk },
  { backupFirst: { ...backup, step: "taking", next: [] } },
  { overrides: [overrideOf({ slackUser: "U3" })] },
];

/** All other presses decide nothing. */
const decisions = new Set<PressEvent>([
  "approveInPart",
  "approve",
  "override",
  "schedule",
  "narrow",
  "deny",
  "withdraw",
]);

test("every press about an agent's request names the presser, and apart from them the agent, its owner, its program and its reason", async () => {
  const seen = new Set<string>();
  const { app } = await openApp();
  for (const [at, standing] of standings.entries())
    for (const state of stateNames)
      for (const event of presses.filter(isPress))
        for (const by of ["U1", "U2"]) {
          const proposed = requestOf({ id: `${at} ${state} ${event} ${by}`, agent, state, ...standing });
          const cell = cellOf(event, proposed);
          if (!cell) continue;
          await step(app, await storeFirst(app, proposed, auditNote), event, {}, { by });
          const [newest] = await newestEntries(app, { limit: 1 });
          const entry = newest?.entry;
          const found = [event, entry?.what, entry?.decidedBy, entry?.member, entry?.agent];
          expect(found).toEqual([event, cell.entry, `T1:${by}`, "T1:U1", agent]);
          expect(newest && ocsfEvent(newest)).toMatchObject({
            actor: { user: { uid: `T1:${by}`, name: by } },
            unmapped: { requested_by: "T1:U1", agent },
          });
          const [part, other] = decisions.has(event) ? ["decided_by", "pressed_by"] : ["pressed_by", "decided_by"];
          expect(newest && ocsfEvent(newest)).toHaveProperty(["unmapped", part], `T1:${by}`);
          expect(newest && ocsfEvent(newest)).not.toHaveProperty(["unmapped", other]);
          expect(entry && peopleOf(entry).verb).toEqual(expect.any(String));
          seen.add(event);
        }
  expect([...seen].toSorted()).toEqual(presses.toSorted());
});

test("an act that a rule lets an agent run was decided by nobody, and one that a member types by that member", async () => {
  const { app } = await openApp();
  const byAgent = await begin(app, "begin", requestOf({ id: "r1", mode: "none", agent }));
  await step(app, byAgent, "succeed", { outcome: "It is done." });
  const typed = await begin(app, "begin", requestOf({ id: "r2", mode: "none" }));
  await step(app, typed, "succeed", { outcome: "It is done." });
  const entries = await newestEntries(app, { limit: 10, begun: true });
  expect(entries.map(({ entry }) => [entry.request, entry.what, entry.decidedBy])).toEqual([
    ["r2", "done", "T1:U1"],
    ["r2", "begun", "T1:U1"],
    ["r1", "done", null],
    ["r1", "begun", null],
  ]);
  const program = entries.map((found) => ocsfEvent(found)).at(-1);
  expect(program).toMatchObject({ actor: { app_name: "claude-code" } });
});

test("a refusal that reopens a request still names who had decided it", async () => {
  const { app } = await openApp();
  const request = await storeFirst(app, requestOf({ agent }), auditNote);
  const claimed = await step(app, request, "approve", { decidedBy: "U2", decidedAt: 1 }, { by: "U2" });
  if (!claimed) throw new Error("It was not claimed");
  expect(await step(app, claimed, "reopen", { outcome: "Busy." })).toMatchObject({ decidedBy: null });
  const [newest] = await newestEntries(app, { limit: 1 });
  expect(newest?.entry).toMatchObject({ what: "refused", decidedBy: "T1:U2" });
});
