// passkeys/: members' passkeys: registered, recovered, removed, and the one-time links to the pages that ask for them.

import { hash, randomBytes } from "node:crypto";
import * as z from "#zod";
import type { Audit } from "../audit/audit.ts";
import type { AuditKind } from "../audit/kinds.ts";
import { keptApart, passkeyWord } from "../audit/registrations.ts";
import { slackUserIn } from "../members/identities/person.ts";
import type { AdminsApp } from "../messages/admins.ts";
import type { NoticeChange } from "../messages/answers/notices.ts";
import type { Origin } from "../messages/origin.ts";
import { Refusal } from "../operation/errors.ts";
import type { PlainText } from "../process/plain-text.ts";
import {
  type Assertion,
  digestJson,
  type PasskeyChange,
  type RegisteredPasskey,
  type Statement,
} from "../process/webauthn/assertion.ts";
import { type CheckedKey, checkSigned, credentialOf, type SignedAssertion } from "../process/webauthn/check.ts";
import { type PasskeySite, passkeySiteOf } from "../process/webauthn/site.ts";
import type { Foundation, StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { creating, deleting, replacing, type Stored } from "../storage/record.ts";
import type { Transaction } from "../storage/store.ts";
import { code } from "../views/text.ts";
import { type LinkFor, makePasskeyLink, type PasskeyLink, type Purpose } from "./links.ts";
import { noticeOfFirstPasskey } from "./notices.ts";
import { MemberPasskeys, type Passkey, type Recovery } from "./record.ts";

/** `required`: everything that destroys needs one. */
export type PasskeyMode = "off" | "on" | "required";

/** A member who changes passkeys. `assertion`: what an existing passkey signed for it. */
export interface PasskeyActor {
  member: string;
  slackUser: string;
  keyLabel: PlainText;
  /** It came about by itself: the member pressed nothing. */
  isAbsent?: true;
  assertion?: Assertion | undefined;
}

/** The same for a new passkey that is in effect at once: an existing passkey signed for it, or it signs for itself as the first one. */
export interface RegistrationActor extends PasskeyActor {
  assertion: Assertion;
  /** The counter that the passkey signed with it. */
  counter: number;
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
});
/**
 * Each credential that ever was a passkey, by the hash of its id, for ever: the same id under another member, or with another public key,
 * would make what the first one signed look forged.
 */
const credentials = defineKind({
  name: "credential",
  namespace: "passkey-credentials",
  schema: z.object({ member: z.string(), at: z.number() }),
});
const SealedCommand = z.object({ invocation: z.string(), salt: z.string() });
/** Age from which a linked key proves a passkey: somebody may have linked it with a stolen session a minute ago. */
export const keyAgeMs = 24 * 60 * 60_000;
export const mostPasskeys = 10;
export const passkeysCommand = "rackbell passkeys";

export function passkeySetup({
  publicUrl,
  ...others
}: Pick<PasskeySetup, "mode" | "workspace"> & { publicUrl: string | undefined }): PasskeySetup {
  const site = passkeySiteOf(publicUrl);
  return "problem" in site ? { ...others, site: null, problem: site.problem } : { ...others, site, problem: null };
}

/** The member's passkeys, those of another site included. */
export async function readPasskeys({ store }: StoreApp, member: string): Promise<Passkey[]> {
  return (await store.keyv(passkeyRecords).get(member))?.passkeys ?? [];
}

/** False if the passkey was removed since; true while passkeys are off. */
export async function hasPasskey(app: SiteApp, member: string, credential: string): Promise<boolean> {
  return app.passkeys.mode === "off" || (await readPasskeys(app, member)).some(({ id }) => id === credential);
}

export async function readRecovery({ store }: StoreApp, member: string): Promise<Recovery | null> {
  return (await store.keyv(passkeyRecords).get(member))?.recovery ?? null;
}

/** Those that a browser offers at this site. */
export async function usablePasskeys(app: SiteApp, member: string): Promise<Passkey[]> {
  return (await readPasskeys(app, member)).filter(({ rpId }) => rpId === app.passkeys.site?.rpId);
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
  if (!site) throw new Refusal(`This needs a passkey, and none works here. ${problem} Nothing was done.`);
  if ((await usablePasskeys(app, origin.member)).length === 0)
    throw new Refusal("This needs your passkey, and you have none. Nothing was done. Make one first.", [
      { label: "Make a passkey", command: passkeysCommand, input: { do: "make" } },
    ]);
  return `${site.url}/approve/${await makePasskeyLink(app, origin, purpose)}`;
}

/** The same for an invocation, as text. It is sealed, since it may hold a key. */
export async function askForCommand(app: PasskeysApp, origin: Origin, invocation: string): Promise<string> {
  const sealed = JSON.stringify({ invocation, salt: randomBytes(16).toString("base64url") });
  return askForPasskey(app, origin, { is: "command", sealed: app.seal.seal(sealed, origin.member) });
}

/** The invocation of such a link, with the salt of its digest. */
export function passkeyCommand(
  { seal }: Pick<PasskeysApp, "seal">,
  { purpose, member }: LinkFor<"command">,
): z.infer<typeof SealedCommand> {
  return SealedCommand.parse(JSON.parse(seal.open(purpose.sealed, member)));
}

/** Checks what a browser sent against the statement, with the member's passkeys. Null if it is not theirs, or not for this statement. */
export async function checkPasskey(
  app: SiteApp,
  answer: unknown,
  statement: Statement,
): Promise<SignedAssertion | null> {
  const key = (await usablePasskeys(app, statement.member)).find(({ id }) => id === credentialOf(answer));
  return key ? checkSigned(answer, { statement, key }) : null;
}

/** The parts of every statement on a page of this link. Throws a Refusal where no passkey works. */
export function statementOf(
  { passkeys: { site, problem, workspace } }: Pick<PasskeysApp, "passkeys">,
  { random, member, madeAt }: Pick<PasskeyLink, "random" | "member" | "madeAt">,
): Pick<Statement, "random" | "member" | "at" | "workspace" | "origin" | "rpId"> {
  if (!site) throw new Refusal(`No passkey works here. ${problem} Nothing was done.`);
  const { origin, rpId } = site;
  return { random, member, at: madeAt, workspace, origin, rpId };
}

/** The statement that a passkey signs for a further one, or a first one for itself: it covers the new public key. */
export function registrationStatement(
  app: Pick<PasskeysApp, "passkeys">,
  link: PasskeyLink,
  passkey: Passkey,
  keyLabel: PlainText,
): Statement {
  const none = digestJson(null);
  return {
    ...statementOf(app, link),
    decision: "register",
    entries: ["passkey added"],
    request: null,
    version: 0,
    requester: link.member,
    keyLabel,
    command: passkeysCommand,
    target: null,
    agent: null,
    reason: "",
    scheduledFor: null,
    outcome: addedWords(passkey),
    passkeys: [registered(link.member, passkey)],
    digests: { input: none, loss: none, price: none, preconditions: none, rule: none, page: none },
  };
}

function addedWords({ name, proof }: Passkey): string {
  return `Added the passkey ${code(name)}, proven by ${proofWords[proof]}.`;
}

/** True if the credential is somebody's passkey, or was: it becomes nobody's again. */
export async function isCredentialTaken({ store }: StoreApp, credential: string): Promise<boolean> {
  return store.keyv(credentials).has(credentialKey(credential));
}

function credentialKey(credential: string): string {
  return hash("sha256", credential);
}

/** Spends the link of an assertion, once. False if it was spent before, or its passkey was removed or set back. */
export async function spendLink(
  { store, clock }: TimedApp,
  link: Stored<PasskeyLink>,
  { assertion, counter }: SignedAssertion,
): Promise<boolean> {
  do {
    const stored = await store.read(passkeyRecords, assertion.statement.member);
    const passkeys = stored.value && usedNow(stored.value.passkeys, { assertion, counter }, clock.now());
    if (!stored.value || !passkeys) return false;
    const after = { ...stored.value, passkeys };
    if (await store.transact({ records: [replacing(stored, after), deleting(link)] })) return true;
    // Another use of the same passkey may have changed its counter at the same moment.
  } while (await isUnspent(store, link));
  return false;
}

/** The passkeys after one of them signed; null if it is not there any more, or was set back. */
function usedNow(passkeys: readonly Passkey[], { assertion, counter }: SignedAssertion, now: number): Passkey[] | null {
  const used = passkeys.find(({ id }) => id === assertion.credential);
  if (!used || isSetBack(used, counter)) return null;
  return passkeys.map((each) => (each === used ? { ...each, counter, usedAt: now } : each));
}

/**
 * Spends the link of a registration and stores the passkey with its audit entry. The member and the
 * admins hear of a first one. False if either was done before, or if its proof no longer counts.
 */
export async function registerPasskey(
  app: PasskeysApp & AdminsApp,
  link: Stored<PasskeyLink>,
  by: RegistrationActor,
  passkey: Passkey,
): Promise<boolean> {
  const isFirst = passkey.proof === "key";
  const notice = isFirst ? await noticeOfFirstPasskey(app, by.slackUser) : null;
  return changePasskeys(
    app,
    by.member,
    (before) => {
      // The proof may be minutes old: since then another link may have made the first one, or its passkey may be removed.
      const others = isFirst ? firstOf(before.passkeys) : usedNow(before.passkeys, by, app.clock.now());
      if (!others || others.length >= mostPasskeys) return null;
      const added = isFirst ? { ...passkey, counter: by.counter } : passkey;
      return {
        after: { ...before, passkeys: [...others, added] },
        entry: {
          by,
          command: passkeysCommand,
          what: "passkey added",
          passkeys: [registered(by.member, passkey)],
          outcome: addedWords(passkey),
        },
      };
    },
    { link, notice, credential: passkey.id },
  );
}

/** The linked key proves the first passkey alone. */
function firstOf(passkeys: readonly Passkey[]): Passkey[] | null {
  return passkeys.length === 0 ? [] : null;
}

export async function removePasskey(app: PasskeysApp, credential: string, by: PasskeyActor): Promise<boolean> {
  return changePasskeys(app, by.member, (before) => {
    const gone = before.passkeys.find(({ id }) => id === credential);
    if (!gone) return null;
    return {
      after: { ...before, passkeys: before.passkeys.filter((each) => each !== gone) },
      entry: {
        by,
        command: passkeysCommand,
        what: "passkey removed",
        passkeys: [removed(by.member, gone.id)],
        outcome: removedWords(gone),
      },
    };
  });
}

export function removedWords({ name }: Pick<Passkey, "name">): string {
  return `Removed the passkey ${code(name)}.`;
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
            command: passkeysCommand,
            what: "passkey removed",
            passkeys: before.passkeys.map(({ id }) => removed(member, id)),
            outcome: "The member was deactivated, so their passkeys were removed.",
          },
        },
  );
}

/**
 * One atomic step, with the spending of a link and a notice if there are such: a crash after the step must not silence its notice. False
 * if the change or the link was done before, or if the new credential is or was somebody's.
 */
export async function changePasskeys(
  { store, clock, audit }: PasskeysApp,
  member: string,
  make: Change,
  { link, notice, credential }: { link?: Stored<PasskeyLink>; notice?: NoticeChange | null; credential?: string } = {},
): Promise<boolean> {
  const claim = credential ? [creating(credentials, credentialKey(credential), { member, at: clock.now() })] : [];
  const along = [...(link ? [deleting(link)] : []), ...(notice?.records ?? []), ...claim];
  const none = { member, slackUser: slackUserIn(member), passkeys: [], recovery: null };
  for (;;) {
    if (credential && (await isCredentialTaken({ store }, credential))) return false;
    const stored = await store.read(passkeyRecords, member);
    const made = make(stored.value ?? none);
    if (!made) return false;
    const { after, entry, timers = [] } = made;
    const done = await store.transact({
      records: [replacing(stored, after), ...along],
      log: entriesOf(audit, entry),
      timers: [...timers, ...(notice?.timers ?? [])],
    });
    if (done) return true;
    if (!(await isUnspent(store, link))) return false;
  }
}

/** True for no link, too. */
async function isUnspent(store: TimedApp["store"], link: Stored<PasskeyLink> | undefined): Promise<boolean> {
  return link === undefined || (await store.read(link.kind, link.key)).was === link.was;
}

function entriesOf(audit: PasskeysApp["audit"], { by, what, command, outcome, passkeys }: Entry) {
  const { member, slackUser, keyLabel, assertion } = by;
  const decidedBy = by.isAbsent ? null : slackUser;
  const about = { id: null, command, target: null, decidedBy, keyLabel, member, slackUser, outcome };
  const entry = audit.entryOf(about, {
    what,
    made: [passkeyWord],
    ...(passkeys.length > 0 ? { passkeys } : {}),
    ...(assertion ? { assertion } : {}),
  });
  return passkeys.length > 0 ? [entry, keptApart(entry)] : [entry];
}

const proofWords: Record<Passkey["proof"], string> = {
  key: "the linked key",
  passkey: "a passkey that the member had",
  recovery: "the linked key and an admin",
};

export function registered(member: string, { id, publicKey, origin, rpId, proof }: Passkey): RegisteredPasskey {
  return { is: "registered", member, credential: id, publicKey, origin, rpId, proof };
}

export function removed(member: string, credential: string) {
  return { is: "removed" as const, member, credential };
}

/** A counter that does not grow says that the passkey was copied. Many passkeys count nothing, and stay at 0. */
function isSetBack({ counter: before }: Pick<CheckedKey, "counter">, counter: number): boolean {
  return (before > 0 || counter > 0) && counter <= before;
}
