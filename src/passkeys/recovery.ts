// The way back for a member who lost their passkeys: the linked key, an admin with a passkey, and a day in which anybody can stop it.

import { randomUUID } from "node:crypto";
import type { AdminsApp } from "../access/admins.ts";
import { slackUserIn } from "../identities/person.ts";
import type { Stored } from "../storage/record.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { moment } from "../views/format.ts";
import { code } from "../views/text.ts";
import type { Assertion } from "../webauthn/assertion.ts";
import type { PasskeyLink } from "./links.ts";
import { notifyMemberAndAdmins } from "./notices.ts";
import {
  changePasskeys,
  type PasskeyActor,
  type PasskeysApp,
  passkeyCommand,
  passkeysOf,
  recoveryOf,
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
  const done = await changePasskeys(
    app,
    by.member,
    (before) => ({
      after: { ...before, recovery },
      entry: {
        by,
        command: `${passkeyCommand} lost`,
        what: "passkey recovery asked",
        passkeys: [],
        outcome: `Asked for the passkey ${code(passkey.name)} in place of all others, proven by the linked key.`,
      },
    }),
    link,
  );
  if (!done) return false;
  const member = `<@${by.slackUser}>`;
  await notifyMemberAndAdmins(
    app,
    by.slackUser,
    `:key: ${member} lost their passkeys, and made a new one with their linked key. It waits for an admin who has a passkey: \`/rackbell passkey recover @name\`. If ${member} did not do this, \`/rackbell passkey stop @name\` stops it.`,
  );
  return true;
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
  const done = await changePasskeys(app, member, (before) =>
    before.recovery === null || before.recovery.approved !== null
      ? null
      : {
          after: { ...before, recovery: { ...before.recovery, approved } },
          timers: [{ id: `${lane}${member}`, at }],
          entry: {
            by,
            command: `${passkeyCommand} recover`,
            what: "passkey recovery approved",
            passkeys: [],
            outcome: `Approved the new passkey of <@${before.slackUser}>.`,
          },
        },
  );
  if (!done) return false;
  await notifyMemberAndAdmins(
    app,
    slackUser,
    `:key: <@${by.slackUser}> approved the new passkey of <@${slackUser}>. It replaces all their others ${moment(at)}. Until then \`/rackbell passkey stop @name\` stops it.`,
  );
  return true;
}

/** False if none waits or is approved. */
export async function stopRecovery(app: RecoveryApp, member: string, by: PasskeyActor): Promise<boolean> {
  const slackUser = slackUserIn(member);
  if (!(await removeRecovery(app, member, by, `Stopped the recovery of the passkeys of <@${slackUser}>.`)))
    return false;
  await notifyMemberAndAdmins(
    app,
    slackUser,
    `:key: <@${by.slackUser}> stopped the new passkey of <@${slackUser}>. Their passkeys are as they were.`,
  );
  return true;
}

export function recoveryTimers(app: RecoveryApp): LaneHandlers {
  return { [lane]: (timerId) => completeRecovery(app, timerId.slice(lane.length)) };
}

async function completeRecovery(app: RecoveryApp, member: string): Promise<number | undefined> {
  const recovery = await recoveryOf(app, member);
  if (!recovery?.approved) return;
  const due = recovery.approved.at + recoveryMs;
  if (app.clock.now() < due) return due;
  if (await wasRemoved(app, recovery.approved)) return stopUnproven(app, member, recovery.approved);
  if (!(await replaceAll(app, member, recovery.id))) return;
  const slackUser = slackUserIn(member);
  await notifyMemberAndAdmins(
    app,
    slackUser,
    `:key: The new passkey of <@${slackUser}> is in effect. Their others are removed.`,
  );
}

/** True if the passkey that approved it was removed since: whoever stole it could let a thief's passkey in. */
async function wasRemoved(app: RecoveryApp, { member, assertion }: Approved): Promise<boolean> {
  return !(await passkeysOf(app, member)).some(({ id }) => id === assertion.credential);
}

async function stopUnproven(app: RecoveryApp, member: string, approved: Approved): Promise<undefined> {
  const because = `The passkey with which <@${approved.slackUser}> approved it was removed.`;
  const by = { ...approved, assertion: undefined, keyLabel: "" };
  if (!(await removeRecovery(app, member, by, because))) return;
  const slackUser = slackUserIn(member);
  await notifyMemberAndAdmins(
    app,
    slackUser,
    `:key: The new passkey of <@${slackUser}> does not take effect. ${because} \`/rackbell passkey lost\` asks anew.`,
  );
}

function removeRecovery(app: RecoveryApp, member: string, by: PasskeyActor, outcome: string): Promise<boolean> {
  return changePasskeys(app, member, (before) =>
    before.recovery === null
      ? null
      : {
          after: { ...before, recovery: null },
          entry: { by, command: `${passkeyCommand} stop`, what: "passkey recovery stopped", passkeys: [], outcome },
        },
  );
}

/** Replaces all passkeys of the member by the recovered one. False if it was stopped or replaced by another. */
function replaceAll(app: RecoveryApp, member: string, id: string): Promise<boolean> {
  return changePasskeys(app, member, ({ recovery, ...before }) => {
    if (recovery?.id !== id || recovery.approved === null) return null;
    const { approved, passkey } = recovery;
    const gone = before.passkeys.map((each) => removed(member, each.id));
    return {
      after: { ...before, passkeys: [passkey], recovery: null },
      entry: {
        by: { ...approved, keyLabel: "" },
        command: `${passkeyCommand} recover`,
        what: "passkey recovered",
        passkeys: [...gone, registered(member, passkey)],
        outcome: `The passkey ${code(passkey.name)} of <@${before.slackUser}> replaces all their others.`,
      },
    };
  });
}
