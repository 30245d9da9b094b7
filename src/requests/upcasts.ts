import * as z from "zod";
import { upcastFacts } from "./preconditions.ts";

/** The keys of version 1 that have other names now. */
const VersionOne = z.looseObject({
  state: z.string(),
  words: z.string(),
  loss: z.string(),
  verb: z.string(),
  id: z.string(),
  createdAt: z.number(),
});

const OlderVersion = z.looseObject({});
const VersionThree = z.looseObject({ mode: z.string(), risk: z.string() });
const VersionFive = z.looseObject({ material: z.unknown() });

/**
 * Upgrades records of older versions, by their version. A new field has a default in its schema, or it comes with a new version and its
 * upcast. Without either, no stored request can be read.
 */
export const upcasts = {
  1: (older: unknown) => {
    const { words, loss, state, verb, ...first } = VersionOne.parse(older);
    return {
      api: "customer",
      ...first,
      verb,
      state: state === "discarded" ? "withdrawn" : state,
      outcome: words,
      consequence: loss,
      press: verb,
      back: "Not now",
      channel: null,
      notice: null,
      mention: null,
      changedAt: first.createdAt,
      instance: null,
      attemptedAt: null,
      next: [],
      secret: null,
      job: null,
    };
  },
  2: (older: unknown) => ({ reason: "", originator: null, remindedAt: null, ...OlderVersion.parse(older) }),
  3: (older: unknown) => {
    const third = VersionThree.parse(older);
    const needed = third.mode === "peer" ? 1 : 0;
    const none = { approvals: [], rule: null, breakable: false, glass: null };
    return { needed, ...none, price: third.risk === "spend" ? "unknown" : null, ...third };
  },
  4: (older: unknown) => ({ copy: null, ...OlderVersion.parse(older) }),
  5: (older: unknown) => {
    const { material, ...fifth } = VersionFive.parse(older);
    return { ...fifth, preconditions: upcastFacts(material) };
  },
  6: fromFlat,
};

/** Version 6 had a field for each part of a facet; those that it got late have a default. */
const VersionSix = z.looseObject({
  member: z.string(),
  slackUser: z.string(),
  platformUser: z.unknown(),
  account: z.unknown(),
  project: z.unknown(),
  keyId: z.string(),
  keyLabel: z.string(),
  sealed: z.unknown(),
  again: z.unknown().default(null),
  generated: z.unknown(),
  described: z.unknown(),
  consequence: z.unknown(),
  press: z.unknown(),
  back: z.unknown(),
  preconditions: z.unknown(),
  shown: z.unknown(),
  personal: z.unknown(),
  rule: z.unknown(),
  breakable: z.unknown(),
  admin: z.boolean().default(false),
  passkey: z.boolean().default(false),
  relocations: z.array(z.unknown()).default([]),
  mode: z.string(),
  mention: z.unknown(),
  tooFew: z.unknown().default(null),
  called: z.array(z.unknown()).default([]),
  taken: z.unknown().default(null),
  raisedAt: z.unknown().default(null),
  remindedAt: z.unknown(),
  proven: z.array(z.unknown()).default([]),
  salt: z.string().nullable().default(null),
  draft: z.string().nullable().default(null),
  faults: z.unknown().default({}),
  expects: z.looseObject({}).nullable().default(null),
  heard: z.unknown().default([]),
  overdueAt: z.unknown().default(null),
  secret: z.unknown(),
  glass: z.unknown(),
  planned: z.unknown().default(null),
  copy: z.unknown(),
});

/** The fields that version 6 got after its first release. The list is closed: its version is written no more. */
const lateFields = {
  version: 0,
  identity: null,
  bulk: null,
  part: null,
  agent: null,
  repeats: [],
  unsettled: false,
  endUnknown: false,
  order: null,
  customer: null,
};

function fromFlat(older: unknown) {
  const { member, slackUser, platformUser, account, project, keyId, keyLabel, ...asked } = VersionSix.parse(older);
  const { sealed, again, generated, described, consequence, press, back, preconditions, shown, personal, ...ruled } =
    asked;
  const {
    rule,
    breakable,
    admin,
    passkey,
    relocations,
    mention,
    tooFew,
    called,
    taken,
    raisedAt,
    remindedAt,
    ...facets
  } = ruled;
  const { proven, salt, draft, faults, expects, heard, overdueAt, secret: _, glass, planned, copy, ...core } = facets;
  return {
    ...lateFields,
    ...core,
    requester: { member, slackUser, platformUser, account, project, keyId, keyLabel },
    input: { sealed, again, generated },
    review: { described, loss: [consequence], press, back, preconditions, shown, personal },
    ruling: { rule, breakable, admin, passkey, relocations },
    approvers: core.mode === "peer" ? { mention, tooFew, called, raisedAt, remindedAt } : null,
    taken,
    proof: proven.length > 0 || salt !== null ? { by: proven, salt } : null,
    override: glass,
    schedule: planned,
    backupFirst: copy,
    form: draft === null ? null : { draft, faults },
    events: expects && { awaited: null, ...expects, received: heard, overdueAt },
  };
}
