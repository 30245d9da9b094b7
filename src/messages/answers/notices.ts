import { randomUUID } from "node:crypto";
import * as z from "#zod";
import type { Registry } from "../../operation/registry.ts";
import type { TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { replacing } from "../../storage/record.ts";
import type { Transaction } from "../../storage/store.ts";
import { update } from "../../storage/update.ts";
import { context, section } from "../../views/blocks.ts";
import { type AdminsApp, adminsToNotify } from "../admins.ts";
import { directNotifications, fromRecords, type NotificationSource, notificationTimer } from "../outbox.ts";
import { stepBlocks } from "./answers.ts";

export const noticeSubject = "notice";

/** A message of Rackbell's own accord. */
const Notice = z.object({
  /** Slack users, a channel, or all admins and whoever of these users is one. */
  to: z.union([
    z.object({ users: z.array(z.string()) }),
    z.object({ channel: z.string() }),
    z.object({ admins: z.array(z.string()) }),
  ]),
  text: z.string(),
  /** A small line below it. */
  aside: z.string().optional(),
  /** Its buttons. */
  steps: z
    .array(
      z.object({
        label: z.string(),
        command: z.string(),
        input: z.record(z.string(), z.json()).optional(),
        form: z.literal(true).optional(),
      }),
    )
    .optional(),
});
export type Notice = z.infer<typeof Notice>;

const month = 30 * 24 * 60 * 60_000;
const notices = defineKind({
  name: "notice",
  namespace: "notices",
  // `at`: when it was first sent, in milliseconds since the epoch.
  schema: Notice.extend({ at: z.number() }),
  ttlMs: month,
});

/** A notice, for the transaction of the change that it is about. */
export type NoticeChange = Required<Pick<Transaction, "records" | "timers">>;

/** Has a notice sent once, whatever crashes after the transaction. One of the same id is edited, for those who have it. */
export async function noticeChange(
  { store, clock }: TimedApp,
  notice: Notice,
  id: string = randomUUID(),
): Promise<NoticeChange> {
  const [before, now] = [await store.read(notices, id), clock.now()];
  const { to, at } = before.value ?? { to: notice.to, at: now };
  return {
    records: [replacing(before, { ...notice, to, at })],
    timers: [{ id: notificationTimer(noticeSubject, id), at: now }],
  };
}

/** The same in a transaction of its own. */
export async function notify(app: TimedApp, notice: Notice, id?: string): Promise<void> {
  while (!(await app.store.transact(await noticeChange(app, notice, id))));
}

export function noticeMessages(app: AdminsApp & TimedApp & { registry: Registry }): NotificationSource {
  return fromRecords(app, notices, async ({ to, text, aside, steps = [], at: since }, id) => {
    const blocks = [section(text), ...(aside ? [context(aside)] : []), ...stepBlocks(steps, app.registry.find)];
    const message = { text, blocks };
    if ("channel" in to) {
      const place = { in: "channel", channel: to.channel, otherwise: null, lasting: false } as const;
      return [{ slot: "channel", to: place, message, priority: "alert", since }];
    }
    const users = "users" in to ? to.users : await settleAdmins(app, id, to.admins);
    return directNotifications([...new Set(users)], { message, since });
  });
}

/** The admins at the first sending. They stay its readers, so that an edit reaches those who have it, and nobody else. */
async function settleAdmins(app: AdminsApp & TimedApp, id: string, besides: readonly string[]): Promise<string[]> {
  const users = await adminsToNotify(app, besides);
  // The error makes the outbox try again while Slack does not answer who the admins are.
  if (users.length === 0) throw new Error("No admin is known who could be notified");
  await update(app.store, notices, id, (notice) => notice && { ...notice, to: { users } });
  return users;
}

/**
 * Notifies the owner of the erased keys and all admins: a thief of an admin's account could otherwise remove the others unseen. `user`: the
 * owner; `by`: the one who erased them; `keys`: as code.
 */
export async function notifyUnlinked(
  app: TimedApp,
  { user, by, admins, keys }: { user: string; by: string; admins: readonly string[]; keys: string },
): Promise<void> {
  const whose = user === by ? "their own" : `<@${user}>'s`;
  const toMember = `:unlock: <@${by}>, an admin, erased your ${keys} here. Your open requests are cancelled. Link it anew with \`/rackbell link\`. If you do not know why, ask <@${by}>.`;
  const toAdmins = `:unlock: <@${by}> erased ${whose} ${keys} here. That lets nobody loosen a rule alone: an admin of the last 30 days still has a say.`;
  const others = admins.filter((admin) => admin !== by && admin !== user);
  const changes = await Promise.all([
    ...(user === by ? [] : [noticeChange(app, { to: { users: [user] }, text: toMember })]),
    noticeChange(app, { to: { users: others }, text: toAdmins }),
  ]);
  await app.store.transact({
    records: changes.flatMap(({ records }) => records),
    timers: changes.flatMap(({ timers }) => timers),
  });
}
