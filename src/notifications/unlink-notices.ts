import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { textMessage } from "../views/blocks.ts";
import { directNotifications } from "./direct.ts";
import { fromRecords, type NotificationSource, notificationTimer } from "./outbox.ts";

export const unlinkedSubject = "unlinked";
const month = 30 * 24 * 60 * 60_000;

const Unlinked = z.object({
  at: z.number(),
  /** Slack users: the owner of the keys, the one who erased them, and the admins who are notified. */
  user: z.string(),
  by: z.string(),
  admins: z.array(z.string()),
  /** The keys, as code. */
  keys: z.string(),
});

const unlinkNotice = defineKind({
  name: "unlink notice",
  namespace: unlinkedSubject,
  schema: Unlinked,
  ttlMs: month,
});

/** Notifies the owner of the erased keys and all admins: a thief of an admin's account could otherwise remove the others unseen. */
export async function notifyUnlinked(
  { store, clock }: TimedApp,
  unlinked: Omit<z.infer<typeof Unlinked>, "v" | "at">,
): Promise<void> {
  const [id, at] = [randomUUID(), clock.now()];
  await store.keyv(unlinkNotice).set(id, { at, ...unlinked });
  await store.timers.set(notificationTimer(unlinkedSubject, id), at);
}

export function unlinkedMessages(app: StoreApp): NotificationSource {
  return fromRecords(app, unlinkNotice, ({ user, by, admins, keys, at: since }) => {
    const own = user === by;
    const toMember = `:unlock: <@${by}>, an admin, erased your ${keys} here. Your open requests are cancelled. Link it anew with \`/rackbell link\`. If you do not know why, ask <@${by}>.`;
    const whose = own ? "their own" : `<@${user}>'s`;
    const toAdmins = `:unlock: <@${by}> erased ${whose} ${keys} here. That lets nobody loosen a rule alone: an admin of the last 30 days still has a say.`;
    const others = admins.filter((admin) => admin !== by && admin !== user);
    return [
      ...(own ? [] : directNotifications([user], { message: textMessage(toMember), since, prefix: "member:" })),
      ...directNotifications(others, { message: textMessage(toAdmins), since, prefix: "admin:" }),
    ];
  });
}
