// Links that somebody with a stolen Slack account could have made: the admins hear of them.

import * as z from "#zod";
import type { Link } from "../members/identities/link.ts";
import { type LinkOwner, linkOwner } from "../members/identities/past-links.ts";
import { type AdminsApp, adminsWithSay, isAdmin } from "../messages/admins.ts";
import { noticeChange } from "../messages/answers/notices.ts";
import { defineKind } from "../storage/kind.ts";
import { deleting, replacing } from "../storage/record.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { moment } from "../views/format.ts";
import { code, prose } from "../views/text.ts";
import { noticeToMemberAndAdmins } from "./notices.ts";
import { type PasskeysApp, usablePasskeys } from "./passkeys.ts";

const lane = "admin-links:";
const key = "today";
const day = 24 * 60 * 60_000;

/** The links of admins without a passkey, for one message a day: a team sets up in a day, and twenty messages would be read by nobody. */
const collected = defineKind({
  name: "links of admins",
  namespace: "admin-links",
  schema: z.object({
    links: z.array(z.object({ slackUser: z.string(), keyLabel: z.string(), at: z.number() })),
  }),
});

type LinksApp = PasskeysApp & AdminsApp;

/** The reason why the admins hear of a link; null if they need not. */
export type NotedLink = "another account" | "admin without a passkey" | null;

/** True where passkeys are used, and this admin has none: Slack alone then proves them. */
export async function lacksPasskey(app: LinksApp, { member, slackUser }: Pick<Link, "member" | "slackUser">) {
  if (app.passkeys.mode === "off" || (await usablePasskeys(app, member)).length > 0) return false;
  return isAdmin(app, slackUser);
}

/**
 * Notes a link that was just made; `before`: the owners of the member's links so far. Another account than before is sent to the admins at
 * once, and a link of an admin without a passkey within a day.
 */
export async function noteLink(app: LinksApp, link: Link, before: readonly LinkOwner[]): Promise<NotedLink> {
  const { slackUser } = link;
  if (isOfAnotherAccount(link, before)) {
    const whose = link.api === "customer" ? `, of the platform user ${prose(link.user.name, 80)}` : "";
    const text = `:link: <@${slackUser}> linked the key ${code(link.keyLabel)}${whose}. It may belong to another account than their key before. If <@${slackUser}> did not do this, \`/rackbell members unlink @name\` erases it.`;
    await app.store.transact(await noticeToMemberAndAdmins(app, slackUser, text));
    return "another account";
  }
  if (!(await lacksPasskey(app, link))) return null;
  await collect(app, link);
  return "admin without a passkey";
}

/** No route names the owner of a reseller key, so another one may be another account's. */
function isOfAnotherAccount(link: Link, before: readonly LinkOwner[]): boolean {
  const { api, user, account, key } = linkOwner(link);
  const former = before.filter((one) => one.api === api);
  const isSame = (one: LinkOwner) =>
    api === "reseller" ? one.key === key : one.user === user && one.account === account;
  return former.length > 0 && !former.some(isSame);
}

async function collect({ store, clock }: LinksApp, { slackUser, keyLabel }: Link): Promise<void> {
  for (;;) {
    const stored = await store.read(collected, key);
    const links = [...(stored.value?.links ?? []), { slackUser, keyLabel, at: clock.now() }];
    const timers = stored.value ? [] : [{ id: `${lane}${key}`, at: clock.now() + day }];
    if (await store.transact({ records: [replacing(stored, { links })], timers })) return;
  }
}

export function adminLinkTimers(app: LinksApp): LaneHandlers {
  return { [lane]: () => sendCollected(app) };
}

async function sendCollected(app: LinksApp): Promise<void> {
  const { store } = app;
  const to = { users: await adminsWithSay(app) };
  for (;;) {
    const stored = await store.read(collected, key);
    if (!stored.value) return;
    const lines = stored.value.links.map(
      ({ slackUser, keyLabel, at }) => `• <@${slackUser}> linked ${code(keyLabel)} ${moment(at)}`,
    );
    const text = `:link: Admins without a passkey linked keys. Slack alone proves that it was they:\n${lines.join("\n")}\nA passkey (\`/rackbell passkeys make\`) closes that.`;
    const notice = await noticeChange(app, { to, text });
    if (await store.transact({ records: [deleting(stored), ...notice.records], timers: notice.timers })) return;
  }
}
