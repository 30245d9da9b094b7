import * as z from "zod";
import type { Clock } from "../clock.ts";
import type { TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import type { Link } from "./link.ts";

/** Milliseconds for which an ended link still counts for its member's identity. */
const pastLinkMs = 30 * 24 * 60 * 60_000;

const PastLink = z.object({ user: z.string().nullable(), key: z.string(), until: z.number() });
type PastLink = z.infer<typeof PastLink>;
const PastLinks = z.object({ v: z.literal(1), links: z.array(PastLink) });
/** Per member, so that frequent linking does not grow the record without end. */
const most = 50;

/** Links that ended in the last 30 days, without their keys. Without them a member could unlink, and pass as another person. */
const pastLinks = defineKind({
  name: "past link",
  namespace: "past-links",
  schema: PastLinks,
  version: 1,
  ttlMs: pastLinkMs,
});

export async function notePastLink({ store, clock }: TimedApp, link: Link): Promise<void> {
  const user = link.api === "customer" ? link.user.id : null;
  const ended = { user, key: link.keyId, until: clock.now() };
  await update(store, pastLinks, link.member, (before) => {
    const others = recent(clock, before?.links ?? []).filter(({ key }) => key !== ended.key);
    return { v: 1 as const, links: [...others.slice(1 - most), ended] };
  });
}

/** The past links of a member. */
export async function pastLinksOf({ store, clock }: TimedApp, member: string): Promise<PastLink[]> {
  return recent(clock, (await store.keyv(pastLinks).get(member))?.links ?? []);
}

function recent(clock: Clock, links: readonly PastLink[]): PastLink[] {
  return links.filter(({ until }) => until > clock.now() - pastLinkMs);
}
