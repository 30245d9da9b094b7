// passkeys/: members' passkeys: registered, recovered, removed, and the one-time links to the pages that ask for them.
// May import: audit/, notifications/, records/, access/, operation/, identities/, views/, webauthn/, storage/, the clock.

import { randomBytes } from "node:crypto";
import * as z from "zod";
import type { AdminsApp } from "../access/admins.ts";
import type { Audit } from "../audit/audit.ts";
import type { PasskeyChange } from "../audit/entry.ts";
import type { AuditKind } from "../audit/kinds.ts";
import { slackUserIn } from "../identities/person.ts";
import type { Origin } from "../notifications/origin.ts";
import { Refusal } from "../operation/errors.ts";
import type { Foundation, StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { deleting, replacing, type Stored } from "../storage/record.ts";
import type { Transaction } from "../storage/store.ts";
import { code } from "../views/text.ts";
import type { Assertion, SignedFacts } from "../webauthn/assertion.ts";
import { type CheckedKey, checkSigned, credentialOf, type SignedAssertion } from "../webauthn/check.ts";
import { type PasskeySite, passkeySiteOf } from "../webauthn/site.ts";
import { type LinkFor, makePasskeyLink, type PasskeyLink, type Purpose } from "./links.ts";
import { noticeOfFirstPasskey, type PasskeyNotice } from "./notices.ts";
import { MemberPasskeys, type Passkey, type Recovery } from "./record.ts";

/** `required`: everything that destroys needs one. */
export type PasskeyMode = "off" | "on" | "required";

/** A member who changes passkeys. `assertion`: what an existing passkey signed for it. */
export interface PasskeyActor {
  member: string;
  slackUser: string;
  keyLabel: string;
  /** It came about by itself: the member pressed nothing. */
  isAbsent?: true;
  assertion?: Assertion | undefined;
}

/** How passkeys are set up here. */
export interface PasskeySetup {
  mode: PasskeyMode;
  /** Null while no passkey can work here; `problem` then says why. */
  site: PasskeySite | null;
  problem: string | null;
  workspace: string;
}

/** The parts of the app that read and change members' passkeys. */
export interface PasskeysApp extends TimedApp, Pick<Foundation, "seal"> {
  passkeys: PasskeySetup;
  audit: Pick<Audit, "entryOf">;
}

/** The parts of the app that know which passkeys work here. */
type SiteApp = Pick<PasskeysApp, "store" | "passkeys">;

/** A change of a member's passkeys, with its audit entry. Null changes nothing. */
type Change = (
  before: MemberPasskeys,
) => { after: MemberPasskeys; entry: Entry; timers?: Transaction["timers"] } | null;
interface Entry {
  by: PasskeyActor;
  what: AuditKind;
  command: string;
  outcome: string;
  passkeys: PasskeyChange[];
}

const passkeyRecords = defineKind({
  name: "passkeys of a member",
  namespace: "passkeys",
  schema: MemberPasskeys,
  version: 1,
});
const SealedCommand = z.object({ invocation: z.string(), salt: z.string() });
/** Age from which a linked key proves a passkey: somebody may have linked it with a stolen session a minute ago. */
export const keyAgeMs = 24 * 60 * 60_000;
export const mostPasskeys = 10;
export const passkeyCommand = "rackbell passkey";

export function passkeySetup({
  publicUrl,
  ...others
}: Pick<PasskeySetup, "mode" | "workspace"> & { publicUrl: string | undefined }): PasskeySetup {
  const site = passkeySiteOf(publicUrl);
  return "problem" in site ? { ...others, site: null, problem: site.problem } : { ...others, site, problem: null };
}

/** The member's passkeys, those of another site included. */
export async function passkeysOf({ store }: StoreApp, member: string): Promise<Passkey[]> {
  return (await store.keyv(passkeyRecords).get(member))?.passkeys ?? [];
}

export async function recoveryOf({ store }: StoreApp, member: string): Promise<Recovery | null> {
  return (await store.keyv(passkeyRecords).get(member))?.recovery ?? null;
}

/** Those that a browser offers at this site. */
export async function usablePasskeys(app: SiteApp, member: string): Promise<Passkey[]> {
  return (await passkeysOf(app, member)).filter(({ rpId }) => rpId === app.passkeys.site?.rpId);
}

/** True if some member has passkeys that were made for another site. */
export async function hasDeadPasskeys({ store, passkeys: { site } }: SiteApp): Promise<boolean> {
  for await (const { value } of store.scan(passkeyRecords))
    if (value.passkeys.some(({ rpId }) => rpId !== site?.rpId)) return true;
  return false;
}

/** The members who have a passkey, or wait for one. */
export async function membersWithPasskeys({ store }: StoreApp): Promise<string[]> {
  const found: string[] = [];
  for await (const { value } of store.scan(passkeyRecords))
    if (value.passkeys.length > 0 || value.recovery !== null) found.push(value.member);
  return found;
}

/** Makes a one-time link and resolves with its address. Refuses a member without a passkey that works here. */
export async function askForPasskey(
  app: SiteApp & TimedApp,
  origin: Origin,
  purpose: Exclude<Purpose, { is: "registration" }>,
): Promise<string> {
  const { site, problem } = app.passkeys;
  if (!site) throw new Refusal(`This takes a passkey, and none works here. ${problem} Nothing was done.`);
  if ((await usablePasskeys(app, origin.member)).length === 0)
    throw new Refusal("This takes your passkey, and you have none. Nothing was done. Make one first.", [
      { label: "Make a passkey", command: passkeyCommand },
    ]);
  return `${site.url}/approve/${await makePasskeyLink(app, origin, purpose)}`;
}

/** The same for an invocation, as text. It is sealed, since it may hold a key. */
export async function askForCommand(app: PasskeysApp, origin: Origin, invocation: string): Promise<string> {
  const sealed = JSON.stringify({ invocation, salt: randomBytes(16).toString("base64url") });
  return askForPasskey(app, origin, { is: "command", sealed: app.seal.seal(sealed, origin.member) });
}

/** The invocation of such a link, with the salt of its digest. */
export function commandOf(
  { seal }: Pick<PasskeysApp, "seal">,
  { purpose, member }: LinkFor<"command">,
): z.infer<typeof SealedCommand> {
  return SealedCommand.parse(JSON.parse(seal.open(purpose.sealed, member)));
}

/** Checks what a browser sent against the facts, with the member's passkeys. Null if it is not theirs, or not for these facts. */
export async function checkPasskey(app: SiteApp, answer: unknown, facts: SignedFacts): Promise<SignedAssertion | null> {
  const { site } = app.passkeys;
  const key = (await usablePasskeys(app, facts.member)).find(({ id }) => id === credentialOf(answer));
  return key && site ? checkSigned(answer, { facts, key, site }) : null;
}

/** Spends the link of an assertion, once. False if it was spent before, or its passkey was removed or set back. */
export async function spendLink(
  { store, clock }: TimedApp,
  link: Stored<PasskeyLink>,
  { assertion, counter }: SignedAssertion,
): Promise<boolean> {
  do {
    const stored = await store.read(passkeyRecords, assertion.member);
    const passkeys = stored.value?.passkeys ?? [];
    const used = passkeys.find(({ id }) => id === assertion.credential);
    if (!stored.value || !used || isSetBack(used, counter)) return false;
    const now = clock.now();
    const after = {
      ...stored.value,
      passkeys: passkeys.map((each) => (each === used ? { ...each, counter, usedAt: now } : each)),
    };
    if (await store.transact({ records: [replacing(stored, after), deleting(link)] })) return true;
    // Another use of the same passkey may have changed its counter at the same moment.
  } while (await isUnspent(store, link));
  return false;
}

/**
 * Spends the link of a registration and stores the passkey with its audit entry. The member and the
 * admins hear of a first one. False if either was done before, or if its proof no longer counts.
 */
export async function registerPasskey(
  app: PasskeysApp & AdminsApp,
  link: Stored<PasskeyLink>,
  by: PasskeyActor,
  passkey: Passkey,
): Promise<boolean> {
  const notice = by.assertion ? null : await noticeOfFirstPasskey(app, by.slackUser);
  return changePasskeys(
    app,
    by.member,
    (before) =>
      before.passkeys.length >= mostPasskeys || !isStillProven(before, by)
        ? null
        : {
            after: { ...before, passkeys: [...before.passkeys, passkey] },
            entry: {
              by,
              command: passkeyCommand,
              what: "passkey added",
              passkeys: [registered(by.member, passkey)],
              outcome: `Added the passkey ${code(passkey.name)}, proven by ${proofWords[passkey.proof]}.`,
            },
          },
    { link, notice },
  );
}

export async function removePasskey(app: PasskeysApp, credential: string, by: PasskeyActor): Promise<boolean> {
  return changePasskeys(app, by.member, (before) => {
    const gone = before.passkeys.find(({ id }) => id === credential);
    if (!gone) return null;
    return {
      after: { ...before, passkeys: before.passkeys.filter((each) => each !== gone) },
      entry: {
        by,
        command: `${passkeyCommand} remove`,
        what: "passkey removed",
        passkeys: [removed(by.member, gone.id)],
        outcome: `Removed the passkey ${code(gone.name)}.`,
      },
    };
  });
}

/** Removes all passkeys of a deactivated member. False if they had none. */
export function forgetPasskeys(app: PasskeysApp, member: string): Promise<boolean> {
  const by = { member, slackUser: slackUserIn(member), keyLabel: "", isAbsent: true as const };
  return changePasskeys(app, member, (before) =>
    before.passkeys.length === 0 && before.recovery === null
      ? null
      : {
          after: { ...before, passkeys: [], recovery: null },
          entry: {
            by,
            command: `${passkeyCommand} remove`,
            what: "passkey removed",
            passkeys: before.passkeys.map(({ id }) => removed(member, id)),
            outcome: "The member was deactivated, so their passkeys were removed.",
          },
        },
  );
}

/**
 * One atomic step, with the spending of a link and a notice if there are such: a crash after the step must not silence its notice. False
 * if the change or the link was done before.
 */
export async function changePasskeys(
  { store, audit }: PasskeysApp,
  member: string,
  make: Change,
  { link, notice }: { link?: Stored<PasskeyLink>; notice?: PasskeyNotice | null } = {},
): Promise<boolean> {
  for (;;) {
    const stored = await store.read(passkeyRecords, member);
    const none = { v: 1 as const, member, slackUser: slackUserIn(member), passkeys: [], recovery: null };
    const made = make(stored.value ?? none);
    if (!made) return false;
    const done = await store.transact({
      records: [replacing(stored, made.after), ...(link ? [deleting(link)] : []), ...(notice?.records ?? [])],
      log: [entryOf(audit, made.entry)],
      timers: [...(made.timers ?? []), ...(notice?.timers ?? [])],
    });
    if (done) return true;
    if (link && !(await isUnspent(store, link))) return false;
  }
}

async function isUnspent(store: TimedApp["store"], link: Stored<PasskeyLink>): Promise<boolean> {
  return (await store.read(link.kind, link.key)).was === link.was;
}

function entryOf(audit: PasskeysApp["audit"], { by, what, command, outcome, passkeys }: Entry) {
  const { member, slackUser, keyLabel, assertion } = by;
  const decidedBy = by.isAbsent ? null : slackUser;
  const about = { id: "passkey", command, target: null, decidedBy, keyLabel, member, slackUser, outcome };
  return audit.entryOf(about, { what, passkeys, ...(assertion ? { assertion } : {}) });
}

const proofWords: Record<Passkey["proof"], string> = {
  key: "the linked key",
  passkey: "a passkey that the member had",
  recovery: "the linked key and an admin",
};

export function registered(member: string, { id, publicKey, origin, rpId, proof }: Passkey) {
  return { is: "registered" as const, member, credential: id, publicKey, origin, rpId, proof };
}

export function removed(member: string, credential: string) {
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
