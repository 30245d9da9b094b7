import type { TimedApp } from "../../storage/foundation.ts";
import { noticeChange } from "./notices.ts";

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
