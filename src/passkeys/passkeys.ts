// passkeys/: members' passkeys: registered, recovered, removed, and the one-time links to the pages that ask for them.
// May import: audit/, notifications/, records/, access/, operation/, identities/, views/, webauthn/, storage/, the clock.

import { randomBytes, randomUUID } from "node:crypto";
import * as z from "zod";
import type { Audit } from "../audit/audit.ts";
import type { PasskeyChange } from "../audit/entry.ts";
import type { AuditKind } from "../audit/kinds.ts";
import { slackUserIn } from "../identities/person.ts";
import type { Origin } from "../notifications/origin.ts";
import { Refusal } from "../operation/errors.ts";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { deleting, replacing, type Stored } from "../storage/record.ts";
import type { Transaction } from "../storage/store.ts";
import { code } from "../views/text.ts";
import type { Assertion, SignedFacts } from "../webauthn/assertion.ts";
import { type CheckedKey, checkSigned, credentialOf } from "../webauthn/check.ts";
import { type PasskeySite, passkeySiteOf } from "../webauthn/site.ts";
import { createPasskeyLinks, type LinkFor, type PasskeyLink, type PasskeyLinks, type Purpose } from "./links.ts";
import { MemberPasskeys, type Passkey, type Recovery } from "./record.ts";

/** `required`: everything that destroys needs one. */
export type PasskeyMode = "off" | "on" | "required";

/** A member who changes passkeys. `assertion`: what an existing passkey signed for it. */
export interface PasskeyActor {
  member: string;
  slackUser: string;
  keyLabel: string;
  assertion?: Assertion | undefined;
}

/** A change of a member's passkeys, with its audit entry. Null changes nothing. */
type Change = (before: MemberPasskeys) => { after: MemberPasskeys; entry: Entry; wakeAt?: number } | null;
interface Entry {
  by: PasskeyActor;
  what: AuditKind;
  command: string;
  outcome: string;
  passkeys: PasskeyChange[];
}

export interface Passkeys {
  mode: PasskeyMode;
  /** Null while no passkey can work here; `problem` then says why. */
  site: PasskeySite | null;
  problem: string | null;
  workspace: string;
  links: PasskeyLinks;
  /** The member's passkeys, those of another site included. */
  of(member: string): Promise<Passkey[]>;
  recoveryOf(member: string): Promise<Recovery | null>;
  /** Those that a browser offers at this site. */
  usable(member: string): Promise<Passkey[]>;
  /** True if some member has passkeys that were made for another site. */
  hasDead(): Promise<boolean>;
  /** Makes a one-time link and resolves with its address. Refuses a member without a passkey that works here. */
  ask(origin: Origin, purpose: Exclude<Purpose, { is: "registration" }>): Promise<string>;
  /** The same for an invocation, as text. It is sealed, since it may hold a key. */
  askForCommand(origin: Origin, invocation: string): Promise<string>;
  /** The invocation of such a link, with the salt of its digest. */
  commandOf(link: LinkFor<"command">): { invocation: string; salt: string };
  /** Checks what a browser sent against the facts, with the member's passkeys. Null if it is not theirs, or not for these facts. */
  check(answer: unknown, facts: SignedFacts): Promise<{ assertion: Assertion; counter: number } | null>;
  /** Spends the link of an assertion, once. False if it was spent before, or a passkey changed meanwhile. */
  spend(link: Stored<PasskeyLink>, signed: { assertion: Assertion; counter: number }): Promise<boolean>;
  /**
   * Spends the link of a registration and stores the passkey with its audit entry. False if either was done before, or if its proof no
   * longer counts.
   */
  register(link: Stored<PasskeyLink>, by: PasskeyActor, passkey: Passkey): Promise<boolean>;
  /** Spends the link and stores the passkey as one that waits for an admin. */
  askRecovery(link: Stored<PasskeyLink>, by: PasskeyActor, passkey: Passkey): Promise<boolean>;
  approveRecovery(member: string, by: PasskeyActor & { assertion: Assertion }, at: number): Promise<Recovery | null>;
  /** `because`: the reason, if nobody asked for the stop. */
  stopRecovery(member: string, by: PasskeyActor, because?: string): Promise<boolean>;
  /** Replaces all passkeys of the member by the recovered one. Null if it was stopped or replaced by another. */
  recover(member: string, id: string): Promise<MemberPasskeys | null>;
  remove(member: string, credential: string, by: PasskeyActor): Promise<boolean>;
  /** Removes all passkeys of a deactivated member. */
  forget(member: string): Promise<void>;
}

const passkeyRecords = defineKind({
  name: "passkeys of a member",
  namespace: "passkeys",
  schema: MemberPasskeys,
  version: 1,
});
const SealedCommand = z.object({ invocation: z.string(), salt: z.string() });
export const recoveryLane = "passkey-recovery:";
/** Age from which a linked key proves a passkey: somebody may have linked it with a stolen session a minute ago. */
export const keyAgeMs = 24 * 60 * 60_000;
export const mostPasskeys = 10;
const command = "rackbell passkey";

export function createPasskeys(
  { store, seal, clock }: Foundation,
  deps: { audit: Audit; mode: PasskeyMode; publicUrl: string | undefined; workspace: string },
): Passkeys {
  const { audit, mode, workspace } = deps;
  const site = passkeySiteOf(deps.publicUrl);
  const here = "problem" in site ? null : site;
  const problem = "problem" in site ? site.problem : null;
  const records = store.keyv(passkeyRecords);
  const links = createPasskeyLinks({ store, clock });

  const of = async (member: string) => (await records.get(member))?.passkeys ?? [];
  const usable = async (member: string) => (await of(member)).filter(({ rpId }) => rpId === here?.rpId);

  /** One atomic step, with the spending of a link if there is one. False if the change or the link was done before. */
  async function change(who: { member: string; slackUser: string }, make: Change, link?: Stored<PasskeyLink>) {
    for (;;) {
      const stored = await store.read(passkeyRecords, who.member);
      const { member, slackUser } = who;
      const made = make(stored.value ?? { v: 1, member, slackUser, passkeys: [], recovery: null });
      if (!made) return null;
      const done = await store.transact({
        records: [replacing(stored, made.after), ...(link ? [deleting(link)] : [])],
        log: [entryOf(made.entry)],
        timers: made.wakeAt === undefined ? [] : [{ id: `${recoveryLane}${member}`, at: made.wakeAt }],
      });
      if (done) return made.after;
      if (link && (await store.read(link.kind, link.key)).was !== link.was) return null;
    }
  }

  function entryOf({ by, what, command, outcome, passkeys }: Entry): NonNullable<Transaction["log"]>[number] {
    const { member, slackUser, keyLabel, assertion } = by;
    const about = { id: "passkey", command, target: null, decidedBy: null, keyLabel, member, slackUser, outcome };
    return audit.entryOf(about, { what, passkeys, ...(assertion ? { assertion } : {}) });
  }

  async function ask(origin: Origin, purpose: Purpose): Promise<string> {
    if (!here) throw new Refusal(`This takes a passkey, and none works here. ${problem} Nothing was done.`);
    if ((await usable(origin.member)).length === 0)
      throw new Refusal("This takes your passkey, and you have none. Nothing was done. Make one first.", [
        { label: "Make a passkey", command },
      ]);
    return `${here.url}/approve/${await links.make(origin, purpose)}`;
  }

  return {
    mode,
    workspace,
    links,
    of,
    usable,
    site: here,
    problem,
    recoveryOf: async (member) => (await records.get(member))?.recovery ?? null,
    async hasDead() {
      for await (const { value } of store.scan(passkeyRecords))
        if (value.passkeys.some(({ rpId }) => rpId !== here?.rpId)) return true;
      return false;
    },
    ask,
    askForCommand(origin, invocation) {
      const sealed = JSON.stringify({ invocation, salt: randomBytes(16).toString("base64url") });
      return ask(origin, { is: "command", sealed: seal.seal(sealed, origin.member) });
    },
    commandOf: ({ purpose, member }) => SealedCommand.parse(JSON.parse(seal.open(purpose.sealed, member))),
    async check(answer, facts) {
      const key = (await usable(facts.member)).find(({ id }) => id === credentialOf(answer));
      return key && here ? checkSigned(answer, { facts, key, site: here }) : null;
    },
    async spend(link, { assertion, counter }) {
      const stored = await store.read(passkeyRecords, assertion.member);
      const passkeys = stored.value?.passkeys ?? [];
      const used = passkeys.find(({ id }) => id === assertion.credential);
      if (!stored.value || !used || isSetBack(used, counter)) return false;
      const now = clock.now();
      const after = {
        ...stored.value,
        passkeys: passkeys.map((each) => (each === used ? { ...each, counter, usedAt: now } : each)),
      };
      return store.transact({ records: [replacing(stored, after), deleting(link)] });
    },
    async register(link, by, passkey) {
      const done = await change(
        by,
        (before) =>
          before.passkeys.length >= mostPasskeys || !isStillProven(before, by)
            ? null
            : {
                after: { ...before, passkeys: [...before.passkeys, passkey] },
                entry: {
                  by,
                  command,
                  what: "passkey added",
                  passkeys: [registered(by.member, passkey)],
                  outcome: `Added the passkey ${code(passkey.name)}, proven by ${proofWords[passkey.proof]}.`,
                },
              },
        link,
      );
      return done !== null;
    },
    async askRecovery(link, by, passkey) {
      const recovery: Recovery = { id: randomUUID(), passkey, askedAt: clock.now(), approved: null };
      const done = await change(
        by,
        (before) => ({
          after: { ...before, recovery },
          entry: {
            by,
            command: `${command} lost`,
            what: "passkey recovery asked",
            passkeys: [],
            outcome: `Asked for the passkey ${code(passkey.name)} in place of all others, proven by the linked key.`,
          },
        }),
        link,
      );
      return done !== null;
    },
    async approveRecovery(member, by, at) {
      const approved = { member: by.member, slackUser: by.slackUser, at: clock.now(), assertion: by.assertion };
      const after = await change({ member, slackUser: slackUserIn(member) }, (before) =>
        before.recovery === null || before.recovery.approved !== null
          ? null
          : {
              after: { ...before, recovery: { ...before.recovery, approved } },
              wakeAt: at,
              entry: {
                by,
                command: `${command} recover`,
                what: "passkey recovery approved",
                passkeys: [],
                outcome: `Approved the new passkey of <@${before.slackUser}>.`,
              },
            },
      );
      return after?.recovery ?? null;
    },
    async stopRecovery(member, by, because) {
      const done = await change({ member, slackUser: slackUserIn(member) }, (before) =>
        before.recovery === null
          ? null
          : {
              after: { ...before, recovery: null },
              entry: {
                by,
                command: `${command} stop`,
                what: "passkey recovery stopped",
                passkeys: [],
                outcome: because ?? `Stopped the recovery of the passkeys of <@${before.slackUser}>.`,
              },
            },
      );
      return done !== null;
    },
    recover: (member, id) =>
      change({ member, slackUser: slackUserIn(member) }, ({ recovery, ...before }) => {
        if (recovery?.id !== id || recovery.approved === null) return null;
        const { approved, passkey } = recovery;
        const by = { ...approved, keyLabel: "" };
        const gone = before.passkeys.map((each) => removed(member, each.id));
        return {
          after: { ...before, passkeys: [passkey], recovery: null },
          entry: {
            by,
            command: `${command} recover`,
            what: "passkey recovered",
            passkeys: [...gone, registered(member, passkey)],
            outcome: `The passkey ${code(passkey.name)} of <@${before.slackUser}> replaces all their others.`,
          },
        };
      }),
    async remove(member, credential, by) {
      const done = await change({ member, slackUser: slackUserIn(member) }, (before) => {
        const gone = before.passkeys.find(({ id }) => id === credential);
        if (!gone) return null;
        return {
          after: { ...before, passkeys: before.passkeys.filter((each) => each !== gone) },
          entry: {
            by,
            command: `${command} remove`,
            what: "passkey removed",
            passkeys: [removed(member, gone.id)],
            outcome: `Removed the passkey ${code(gone.name)}.`,
          },
        };
      });
      return done !== null;
    },
    async forget(member) {
      const by = { member, slackUser: slackUserIn(member), keyLabel: "" };
      await change(by, (before) =>
        before.passkeys.length === 0 && before.recovery === null
          ? null
          : {
              after: { ...before, passkeys: [], recovery: null },
              entry: {
                by,
                command: `${command} remove`,
                what: "passkey removed",
                passkeys: before.passkeys.map(({ id }) => removed(member, id)),
                outcome: "The member was deactivated, so their passkeys were removed.",
              },
            },
      );
    },
  };
}

const proofWords: Record<Passkey["proof"], string> = {
  key: "the linked key",
  passkey: "a passkey that the member had",
  recovery: "the linked key and an admin",
};

function registered(member: string, { id, publicKey, origin, rpId, proof }: Passkey) {
  return { is: "registered" as const, member, credential: id, publicKey, origin, rpId, proof };
}

function removed(member: string, credential: string) {
  return { is: "removed" as const, member, credential };
}

/**
 * The linked key proves the first passkey alone. The proof may be minutes old: since then another link may have made the first one, or the
 * passkey that proved it may have been removed.
 */
function isStillProven({ passkeys }: MemberPasskeys, { assertion }: PasskeyActor): boolean {
  return assertion ? passkeys.some(({ id }) => id === assertion.credential) : passkeys.length === 0;
}

/** A counter that does not grow says that the passkey was copied. Many passkeys count nothing, and stay at 0. */
function isSetBack({ counter: before }: Pick<CheckedKey, "counter">, counter: number): boolean {
  return (before > 0 || counter > 0) && counter <= before;
}
