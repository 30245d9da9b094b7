import { type AdminsApp, adminsWithSay } from "../access/admins.ts";
import { slackUserIn } from "../identities/person.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { moment } from "../views/format.ts";
import type { Assertion } from "../webauthn/assertion.ts";
import { notifyOfPasskeys } from "./notices.ts";
import { type PasskeyActor, type Passkeys, recoveryLane } from "./passkeys.ts";
import type { Recovery } from "./record.ts";

/** A recovery takes effect after this time, so that the member and every admin can stop one that nobody asked for. */
const recoveryMs = 24 * 60 * 60_000;

/** The way back for a member who lost their passkeys: the linked key, an admin with a passkey, and a day in which anybody can stop it. */
export interface Recoveries {
  /** Notifies the member and the admins of a first passkey: nothing but the linked key proves that one. */
  firstMade(slackUser: string): Promise<void>;
  /** Notifies them that a new passkey waits for an admin. */
  asked(slackUser: string): Promise<void>;
  /** An admin approves it with a passkey of their own. False if none waits. */
  approve(member: string, by: PasskeyActor & { assertion: Assertion }): Promise<boolean>;
  stop(member: string, by: PasskeyActor): Promise<boolean>;
  timers: LaneHandlers;
}

type Approved = NonNullable<Recovery["approved"]>;

interface RecoveryApp extends AdminsApp {
  passkeys: Passkeys;
}

export function createRecoveries(app: RecoveryApp): Recoveries {
  const { passkeys, clock } = app;

  async function tell(member: string, text: string): Promise<void> {
    await notifyOfPasskeys(app, [slackUserIn(member), ...(await adminsWithSay(app))], text);
  }

  /** True if the passkey that approved it was removed since: whoever stole it could let a thief's passkey in. */
  async function wasRemoved({ member, assertion }: Approved): Promise<boolean> {
    return !(await passkeys.of(member)).some(({ id }) => id === assertion.credential);
  }

  async function stopUnproven(member: string, approved: Approved): Promise<undefined> {
    const because = `The passkey with which <@${approved.slackUser}> approved it was removed.`;
    if (!(await passkeys.stopRecovery(member, { ...approved, assertion: undefined, keyLabel: "" }, because))) return;
    await tell(
      member,
      `:key: The new passkey of <@${slackUserIn(member)}> does not take effect. ${because} \`/rackbell passkey lost\` asks anew.`,
    );
  }

  return {
    firstMade: async (slackUser) =>
      notifyOfPasskeys(
        app,
        [slackUser, ...(await adminsWithSay(app))],
        `:key: <@${slackUser}> made their first passkey, with the key that they linked. If that was somebody else, revoke the key in the panel.`,
      ),
    asked: async (slackUser) =>
      notifyOfPasskeys(
        app,
        [slackUser, ...(await adminsWithSay(app))],
        `:key: <@${slackUser}> lost their passkeys, and made a new one with their linked key. It waits for an admin who has a passkey: \`/rackbell passkey recover @name\`. If <@${slackUser}> did not do this, \`/rackbell passkey stop @name\` stops it.`,
      ),
    async approve(member, by) {
      const at = clock.now() + recoveryMs;
      if (!(await passkeys.approveRecovery(member, by, at))) return false;
      await tell(
        member,
        `:key: <@${by.slackUser}> approved the new passkey of <@${slackUserIn(member)}>. It replaces all their others ${moment(at)}. Until then \`/rackbell passkey stop @name\` stops it.`,
      );
      return true;
    },
    async stop(member, by) {
      if (!(await passkeys.stopRecovery(member, by))) return false;
      await tell(
        member,
        `:key: <@${by.slackUser}> stopped the new passkey of <@${slackUserIn(member)}>. Their passkeys are as they were.`,
      );
      return true;
    },
    timers: {
      async [recoveryLane](timer: string) {
        const member = timer.slice(recoveryLane.length);
        const recovery = await passkeys.recoveryOf(member);
        if (!recovery?.approved) return;
        const due = recovery.approved.at + recoveryMs;
        if (clock.now() < due) return due;
        if (await wasRemoved(recovery.approved)) return stopUnproven(member, recovery.approved);
        if (!(await passkeys.recover(member, recovery.id))) return;
        await tell(
          member,
          `:key: The new passkey of <@${slackUserIn(member)}> is in effect. Their others are removed.`,
        );
      },
    },
  };
}
