import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { section } from "../views/blocks.ts";
import { directNotifications } from "./direct.ts";
import { notificationTimer, type Outbox } from "./outbox.ts";

const kind = "unlinked";
const month = 30 * 24 * 60 * 60_000;

const Unlinked = z.object({
  v: z.literal(1),
  at: z.number(),
  /** Slack users: the owner of the keys, the one who erased them, and the admins who are notified. */
  user: z.string(),
  by: z.string(),
  admins: z.array(z.string()),
  /** The keys, as code. */
  keys: z.string(),
});

/** Notifies the owner of the erased keys and all admins: a thief of an admin's account could otherwise remove the others unseen. */
export type NotifyUnlinked = (unlinked: Omit<z.infer<typeof Unlinked>, "v" | "at">) => Promise<void>;

const unlinkNotice = defineKind({ name: "unlink notice", namespace: kind, schema: Unlinked, version: 1, ttlMs: month });

export function createUnlinkNotices({ store, clock }: Foundation, { outbox }: { outbox: Outbox }): NotifyUnlinked {
  const records = store.keyv(unlinkNotice);

  outbox.source(kind, {
    async notifications(id) {
      const found = await records.get(id);
      if (!found) return null;
      const { user, by, admins, keys, at: since } = found;
      const own = user === by;
      const toMember = `:unlock: <@${by}>, an admin, erased your ${keys} here. Your open requests are cancelled. Link it anew with \`/rackbell link\`. If you do not know why, ask <@${by}>.`;
      const whose = own ? "their own" : `<@${user}>'s`;
      const toAdmins = `:unlock: <@${by}> erased ${whose} ${keys} here. That lets nobody loosen a rule alone: an admin of the last 30 days still has a say.`;
      const messageOf = (text: string) => ({ text, blocks: [section(text)] });
      const others = admins.filter((admin) => admin !== by && admin !== user);
      return [
        ...(own ? [] : directNotifications([user], { message: messageOf(toMember), since, prefix: "member:" })),
        ...directNotifications(others, { message: messageOf(toAdmins), since, prefix: "admin:" }),
      ];
    },
  });

  return async (unlinked) => {
    const [id, at] = [randomUUID(), clock.now()];
    await records.set(id, { v: 1, at, ...unlinked });
    await store.wakeups.wake(`${notificationTimer}${kind}:${id}`, at);
  };
}
