// The way back for a member who lost their passkeys: the linked key, an admin with a passkey, and a day in which anybody can stop it.

import { randomUUID } from "node:crypto";
import { slackUserIn } from "../members/identities/person.ts";
import type { AdminsApp } from "../messages/admins.ts";
import type { NoticeChange } from "../messages/answers/notices.ts";
import type { Assertion } from "../process/webauthn/assertion.ts";
import type { Stored } from "../storage/record.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { moment } from "../views/format.ts";
import { code } from "../views/text.ts";
import type { PasskeyLink } from "./links.ts";
import { noticeToMemberAndAdmins } from "./notices.ts";
import {
  changePasskeys,
  type PasskeyActor,
  type PasskeysApp,
  passkeysCommand,
  readPasskeys,
  readRecovery,
  registered,
  removed,
} from "./passkeys.ts";
import type { Passkey, Recovery } from "./record.ts";

const lane = "passkey-recovery:";
/** A recovery takes effect after this time, so that the member and every admin can stop one that nobody asked for. */
const recoveryMs = 24 * 60 * 60_000;

type Approved = NonNullable<Recovery["approved"]>;

/** The parts of the app that recover lost passkeys. */
export interface RecoveryApp extends PasskeysApp, AdminsApp {}

/** Spends the link and stores the passkey as one that waits for an admin. False if the link was spent before. */
export async function askRecovery(
  app: RecoveryApp,
  link: Stored<PasskeyLink>,
  by: PasskeyActor,
  passkey: Passkey,
): Promise<boolean> {
  const recovery: Recovery = { id: randomUUID(), passkey, askedAt: app.clock.now(), approved: null };
  const member = `<@${by.slackUser}>`;
  const notice = await noticeToMemberAndAdmins(
    app,
    by.slackUser,
    `:key: ${member} lost their passkeys, and made a new one with their linked key. It waits for an admin who has a passkey: \`/rackbell passkey recover @name\`. If ${member} did not do this, \`/rackbell passkey stop @name\` stops it.`,
  );
  return changePasskeys(
    app,
    by.member,
    (before) => ({
      after: { ...before, recovery },
      entry: {
        by,
        command: passkeysCommand,
        what: "passkey recovery asked",
        passkeys: [],
        outcome: `Asked for the passkey ${code(passkey.name)} in place of all others, proven by the linked key.`,
      },
    }),
    { link, notice, credential: passkey.id },
  );
}

/** An admin approves it with a passkey of their own. False if none waits. */
export async function approveRecovery(
  app: RecoveryApp,
  member: string,
  by: PasskeyActor & { assertion: Assertion },
): Promise<boolean> {
  const slackUser = slackUserIn(member);
  const now = app.clock.now();
  const at = now + recoveryMs;
  const approved = { member: by.member, slackUser: by.slackUser, at: now, assertion: by.assertion };
  const notice = await noticeToMemberAndAdmins(
    app,
    slackUser,
    `:key: <@${by.slackUser}> approved the new passkey of <@${slackUser}>. It replaces all their others ${moment(at)}. Until then \`/rackbell passkey stop @name\` stops it.`,
  );
  return changePasskeys(
    app,
    member,
    (before) =>
      before.recovery === null || before.recovery.approved !== null || !isSignedFor(before.recovery.passkey, by)
        ? null
        : {
            after: { ...before, recovery: { ...before.recovery, approved } },
            timers: [{ id: `${lane}${member}`, at }],
            entry: {
              by,
              command: "rackbell passkey recover",
              what: "passkey recovery approved",
              passkeys: [],
              outcome: approvedWords(member),
            },
          },
    { notice },
  );
}

/** The member may have made another passkey after the admin opened the page. */
function isSignedFor({ id, publicKey }: Passkey, { assertion }: { assertion: Assertion }): boolean {
  const [signed] = assertion.statement.passkeys;
  return signed?.is === "registered" && signed.credential === id && signed.publicKey === publicKey;
}

export function approvedWords(member: string): string {
  return `Approved the new passkey of <@${slackUserIn(member)}>.`;
}

/** False if none waits or is approved. */
export async function stopRecovery(app: RecoveryApp, member: string, by: PasskeyActor): Promise<boolean> {
  const slackUser = slackUserIn(member);
  const text = `:key: <@${by.slackUser}> stopped the new passkey of <@${slackUser}>. Their passkeys are as they were.`;
  return removeRecovery(app, member, by, {
    outcome: `Stopped the recovery of the passkeys of <@${slackUser}>.`,
    notice: await noticeToMemberAndAdmins(app, slackUser, text),
  });
}

export function recoveryTimers(app: RecoveryApp): LaneHandlers {
  return { [lane]: (timerId) => completeRecovery(app, timerId.slice(lane.length)) };
}

async function completeRecovery(app: RecoveryApp, member: string): Promise<number | undefined> {
  const recovery = await readRecovery(app, member);
  if (!recovery?.approved) return;
  const due = recovery.approved.at + recoveryMs;
  if (app.clock.now() < due) return due;
  if (await wasRemoved(app, recovery.approved)) return stopUnproven(app, member, recovery.approved);
  await replaceAll(app, member, recovery.id);
}

/** True if the passkey that approved it was removed since: whoever stole it could let a thief's passkey in. */
async function wasRemoved(app: RecoveryApp, { member, assertion }: Approved): Promise<boolean> {
  return !(await readPasskeys(app, member)).some(({ id }) => id === assertion.credential);
}

async function stopUnproven(app: RecoveryApp, member: string, approved: Approved): Promise<undefined> {
  const because = `The passkey with which <@${approved.slackUser}> approved it was removed.`;
  const by = { ...approved, assertion: undefined, keyLabel: "", isAbsent: true as const };
  const slackUser = slackUserIn(member);
  const text = `:key: The new passkey of <@${slackUser}> does not take effect. ${because} \`/rackbell passkeys replace\` asks anew.`;
  const notice = await noticeToMemberAndAdmins(app, slackUser, text);
  await removeRecovery(app, member, by, { outcome: because, notice });
}

function removeRecovery(
  app: RecoveryApp,
  member: string,
  by: PasskeyActor,
  { outcome, notice }: { outcome: string; notice: NoticeChange },
): Promise<boolean> {
  return changePasskeys(
    app,
    member,
    (before) =>
      before.recovery === null
        ? null
        : {
            after: { ...before, recovery: null },
            entry: { by, command: "rackbell passkey stop", what: "passkey recovery stopped", passkeys: [], outcome },
          },
    { notice },
  );
}

/** Replaces all passkeys of the member by the recovered one, unless it was stopped or replaced by another. */
async function replaceAll(app: RecoveryApp, member: string, id: string): Promise<void> {
  const slackUser = slackUserIn(member);
  const text = `:key: The new passkey of <@${slackUser}> is in effect. Their others are removed.`;
  const notice = await noticeToMemberAndAdmins(app, slackUser, text);
  await changePasskeys(
    app,
    member,
    ({ recovery, ...before }) => {
      if (recovery?.id !== id || recovery.approved === null) return null;
      const { approved, passkey } = recovery;
      const gone = before.passkeys.map((each) => removed(member, each.id));
      return {
        after: { ...before, passkeys: [passkey], recovery: null },
        entry: {
          by: { ...approved, keyLabel: "" },
          command: "rackbell passkey recover",
          what: "passkey recovered",
          passkeys: [...gone, registered(member, passkey)],
          outcome: `The passkey ${code(passkey.name)} of <@${before.slackUser}> replaces all their others.`,
        },
      };
    },
    { notice },
  );
}
