import * as z from "#zod";
import type { Clock } from "../../process/clock.ts";
import type { TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { type RecordChange, replacing } from "../../storage/record.ts";
import type { Link } from "./link.ts";

/** Milliseconds for which an ended link still counts for its member's identity. */
const pastLinkMs = 30 * 24 * 60 * 60_000;

/** The ids by which a link tells whose it is. A reseller key names neither user nor account. */
const LinkOwner = z.object({
  api: z.enum(["customer", "reseller"]),
  user: z.string().nullable(),
  account: z.string().nullable(),
  key: z.string(),
});
export type LinkOwner = z.infer<typeof LinkOwner>;
const PastLink = LinkOwner.extend({ until: z.number() });
type PastLink = z.infer<typeof PastLink>;
const PastLinks = z.object({ links: z.array(PastLink) });
/** Per member, so that frequent linking does not grow the record without end. */
const most = 50;

/** Links that ended in the last 30 days, without their keys. Without them a member could unlink, and pass as another person. */
const pastLinks = defineKind({
  name: "past link",
  namespace: "past-links",
  schema: PastLinks,
  ttlMs: pastLinkMs,
});

export function linkOwner(link: Link): LinkOwner {
  const { api, keyId: key } = link;
  if (api === "reseller") return { api, user: null, account: null, key };
  return { api, user: link.user.id, account: link.account?.id ?? null, key };
}

/** Notes a link as a past one, for the transaction that ends it. */
export async function pastLinkChange({ store, clock }: TimedApp, link: Link): Promise<RecordChange> {
  const ended = { ...linkOwner(link), until: clock.now() };
  const before = await store.read(pastLinks, link.member);
  const others = recent(clock, before.value?.links ?? []).filter(({ key }) => key !== ended.key);
  return replacing(before, { links: [...others.slice(1 - most), ended] });
}

/** The past links of a member. */
export async function readPastLinks({ store, clock }: TimedApp, member: string): Promise<LinkOwner[]> {
  return recent(clock, (await store.keyv(pastLinks).get(member))?.links ?? []);
}

function recent(clock: Clock, links: readonly PastLink[]): PastLink[] {
  return links.filter(({ until }) => until > clock.now() - pastLinkMs);
}
