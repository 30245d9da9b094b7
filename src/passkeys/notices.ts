import { randomUUID } from "node:crypto";
import * as z from "zod";
import { type AdminsApp, adminsWithSay } from "../access/admins.ts";
import { directNotifications } from "../notifications/direct.ts";
import { fromRecords, type NotificationSource, notificationTimer } from "../notifications/outbox.ts";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { creating, type RecordChange } from "../storage/record.ts";
import { textMessage } from "../views/blocks.ts";

export const passkeyNoticeSubject = "passkey-notice";
const month = 30 * 24 * 60 * 60_000;
const Notice = z.object({ at: z.number(), users: z.array(z.string()), text: z.string() });
const notices = defineKind({
  name: "passkey notice",
  namespace: passkeyNoticeSubject,
  schema: Notice,
  ttlMs: month,
});

/** A notice, for the transaction of the change that it is about. */
export interface PasskeyNotice {
  records: RecordChange[];
  timers: { id: string; at: number }[];
}

/** Sends a text to each of the Slack users as a direct message, once, whatever crashes in between. */
export async function notifyOfPasskeys(app: TimedApp, users: readonly string[], text: string): Promise<void> {
  await app.store.transact(noticeFor(app, users, text));
}

export function noticeFor({ clock }: Pick<TimedApp, "clock">, users: readonly string[], text: string): PasskeyNotice {
  const [id, at] = [randomUUID(), clock.now()];
  return {
    records: [creating(notices, id, { at, users: [...new Set(users)], text })],
    timers: [{ id: notificationTimer(passkeyNoticeSubject, id), at }],
  };
}

export async function noticeToMemberAndAdmins(app: AdminsApp, slackUser: string, text: string): Promise<PasskeyNotice> {
  return noticeFor(app, [slackUser, ...(await adminsWithSay(app))], text);
}

/** Nothing but the linked key proves a first passkey, so that its member and the admins hear of it. */
export function noticeOfFirstPasskey(app: AdminsApp, slackUser: string): Promise<PasskeyNotice> {
  return noticeToMemberAndAdmins(
    app,
    slackUser,
    `:key: <@${slackUser}> made their first passkey, with the key that they linked. If that was somebody else, revoke the key in the panel.`,
  );
}

export function passkeyNotices(app: StoreApp): NotificationSource {
  return fromRecords(app, notices, ({ users, text, at: since }) =>
    directNotifications(users, { message: textMessage(text), since }),
  );
}
