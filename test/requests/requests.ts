import { pino } from "pino";
import { createAudit } from "../../src/audit/audit.ts";
import { noInteraction } from "../../src/messages/origin.ts";
import { verbWordsOf } from "../../src/operation/registry.ts";
import { createSigner } from "../../src/process/signer.ts";
import type { Bulk } from "../../src/requests/facets/bulk/record.ts";
import type { Override } from "../../src/requests/facets/override/record.ts";
import type { Request } from "../../src/requests/request.ts";
import { createSeal } from "../../src/storage/seal.ts";
import type { Store } from "../../src/storage/store.ts";
import { openMemory } from "../storage/memory.ts";

const seal = createSeal({ key: Buffer.alloc(32, 7) });

/** The parts of the app that store requests, over an in-memory SQLite database. */
export async function openApp(around: (store: Store) => Store = (store) => store) {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const { clock, ...memory } = await openMemory({ log });
  const store = around(memory.store);
  const audit = createAudit({ store, signer: createSigner({ key: Buffer.alloc(32, 7) }, "audit record"), clock });
  return { clock, log, lines, store, audit, app: { store, seal, audit, clock, log } };
}

/** The audit entry of a request that a test stores by itself. */
export const auditNote = { note: { what: "asked" } } as const;

/** Changes of a request, and of parts of its groups. */
type Change = Partial<Omit<Request, "requester" | "input" | "review" | "ruling">> & {
  requester?: Partial<Request["requester"]>;
  input?: Partial<Request["input"]>;
  review?: Partial<Request["review"]>;
  ruling?: Partial<Request["ruling"]>;
};

/** The facet of a bulk request with these outcomes of its targets. */
export function bulkOf(outcomes: Bulk["outcomes"], change: Partial<Bulk> = {}): Bulk {
  return {
    nouns: `${outcomes.length.toLocaleString("en")} VPSes`,
    digest: "d",
    projects: [],
    counted: false,
    byState: false,
    stopAfter: 3,
    outcomes,
    delayed: {},
    interrupted: [],
    series: "r1",
    followers: [],
    doneLater: [],
    takenBack: [],
    canGoBack: {},
    stopped: null,
    ...change,
  };
}

/** Ana's request to cancel web-1, just after she made it. */
export function requestOf({ requester, input, review, ruling, ...change }: Change = {}): Request {
  const id = change.id ?? "r1";
  return {
    effects: [],
    id,
    state: "pending",
    version: 0,
    createdAt: 0,
    expiresAt: Date.parse("2100-01-01"),
    changedAt: 0,
    requester: {
      member: "T1:U1",
      slackUser: "U1",
      platformUser: "p1",
      account: null,
      project: null,
      keyId: "k1",
      keyLabel: "ana",
      ...requester,
    },
    originator: null,
    reason: "",
    api: "customer",
    command: "vps cancel",
    acts: [verbWordsOf({ command: change.command ?? "vps cancel" })],
    kinds: ["vps"],
    verb: "Cancel",
    risk: "destroy",
    target: { id: "vps-1", name: "web-1" },
    identity: {
      hostname: null,
      project: null,
      address: null,
      addressIs: "not of this kind",
      location: null,
      place: null,
    },
    price: null,
    before: null,
    input: { sealed: seal.seal('{"reason":"no longer needed"}', id), again: null, generated: [], marks: {}, ...input },
    review: {
      described: [],
      loss: ["It ends."],
      press: "Cancel web-1",
      rate: null,
      back: "Keep web-1",
      preconditions: {},
      shown: [],
      personal: [],
      ...review,
    },
    origin: origin("U1"),
    channel: "C1",
    notice: null,
    ruling: {
      ...{ rule: null, overridable: false, admin: false, passkey: false, relocations: [] },
      ...{ approvers: null, notify: null, steps: [], expiresAfter: null },
      ...ruling,
    },
    mode: "self",
    needed: 0,
    approvals: [],
    repeats: [],
    decidedBy: null,
    decidedAt: null,
    instance: null,
    attemptedAt: null,
    unsettled: null,
    reopened: null,
    looks: 0,
    outcome: "",
    ownOutcome: null,
    offered: null,
    endUnknown: false,
    next: [],
    laterActs: [],
    order: null,
    customer: null,
    agent: null,
    bulk: null,
    part: null,
    approvers: null,
    deferred: null,
    proof: null,
    overrides: [],
    protection: null,
    schedule: null,
    backupFirst: null,
    form: null,
    job: null,
    events: null,
    ...change,
  };
}

/** The facet of an emergency override that nobody has reviewed. */
/** A sending whose outcome stayed unknown. */
export const firstSending = {
  found: "unknown",
  approvals: [],
  decidedBy: "U1",
  decidedAt: 1_000,
} satisfies Request["unsettled"];

export function overrideOf(change: Partial<Override> = {}): Override {
  const marks = { users: ["p3"], keys: ["k3"] };
  return { slackUser: "U3", reason: "It burns", at: 1, reviewedBy: null, outcome: null, ...marks, ...change };
}

/** The facet of a request that waits for one event. */
export const expectedEvents = {
  first: ["service.suspended"],
  later: [],
  failing: [],
  awaited: null,
  over: false,
  received: [],
  overdueAt: null,
};

export function origin(user: string): Request["origin"] {
  return { member: `T1:${user}`, slackUser: user, channel: "C1", ...noInteraction, pressed: true };
}
