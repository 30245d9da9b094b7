import { pino } from "pino";
import { onTestFinished } from "vitest";
import { createAudit } from "../../src/audit/audit.ts";
import type { Request } from "../../src/requests/request.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { openStore } from "../../src/storage/open.ts";
import { createSeal } from "../../src/storage/seal.ts";
import { createSigner } from "../../src/storage/signer.ts";
import type { Store } from "../../src/storage/store.ts";

const seal = createSeal({ key: Buffer.alloc(32, 7) });

/** The parts of the app that store requests, over an in-memory SQLite database. */
export async function openApp(around: (store: Store) => Store = (store) => store) {
  const clock = createSandboxClock();
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const store = around(await openStore({ url: "sqlite::memory:", clock, log }));
  onTestFinished(() => store.close());
  const audit = createAudit({ store, signer: createSigner({ key: Buffer.alloc(32, 7) }, "audit record"), clock });
  return { clock, log, lines, store, audit, app: { store, seal, audit, clock, log } };
}

/** The audit entry of a request that a test stores by itself. */
export const asked = { note: { what: "asked" } } as const;

/** Ana's request to cancel web-1, just after she made it. */
export function requestOf(change: Partial<Request> = {}): Request {
  const id = change.id ?? "r1";
  return {
    ...{ v: 6, id, state: "pending", mode: "self", risk: "destroy", api: "customer" },
    ...{ command: "vps cancel", verb: "Cancel", member: "T1:U1", slackUser: "U1", platformUser: "p1" },
    ...{ account: null, project: null, keyId: "k1", keyLabel: "ana", target: { id: "vps-1", name: "web-1" } },
    ...{ sealed: seal.seal('{"reason":"no longer needed"}', id), generated: [], described: [] },
    ...{ reason: "", agent: null, originator: null, remindedAt: null, needed: 0, approvals: [], rule: null },
    ...{ version: 0, passkey: false, proven: [], salt: null },
    ...{
      breakable: false,
      glass: null,
      price: null,
      identity: null,
      relocations: [],
      admin: false,
      draft: null,
      again: null,
      repeats: [],
      faults: {},
      copy: null,
      planned: null,
      bulk: null,
      part: null,
    },
    ...{
      consequence: "It ends.",
      press: "Cancel web-1",
      back: "Keep web-1",
      preconditions: {},
      shown: [],
      personal: [],
    },
    ...{
      before: null,
      origin: origin("U1"),
      channel: "C1",
      notice: null,
      mention: null,
      tooFew: null,
      called: [],
      taken: null,
      raisedAt: null,
    },
    ...{
      createdAt: 0,
      expiresAt: Date.parse("2100-01-01"),
      changedAt: 0,
      decidedBy: null,
      decidedAt: null,
      instance: null,
    },
    ...{
      attemptedAt: null,
      outcome: "",
      next: [],
      secret: null,
      job: null,
      looks: 0,
      expects: null,
      order: null,
      heard: [],
      overdueAt: null,
      endUnknown: false,
      unsettled: false,
    },
    ...change,
  };
}

export function origin(user: string): Request["origin"] {
  return {
    member: `T1:${user}`,
    slackUser: user,
    channel: "C1",
    responseUrl: null,
    until: 0,
    thread: null,
    alert: null,
    home: false,
    view: null,
    pressed: true,
  };
}
