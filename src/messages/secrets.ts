// One-time secrets: never in a channel, never in a log, shown in a modal to their requester alone.

import * as z from "#zod";
import type { Secret } from "../operation/answer.ts";
import { characters, type PlainText } from "../process/plain-text.ts";
import type { Foundation, StoreApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing, type Stored } from "../storage/record.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { actions, button, type Message, section } from "../views/blocks.ts";
import { labelled } from "../views/labels.ts";
import { code, count, oneLine, prose } from "../views/text.ts";
import { fromRecords, type NotificationSource, notificationTimer } from "./outbox.ts";

/** Life of a secret that nobody has seen: an outage of Slack must not erase a password before its owner reads it. */
const unseenLife = 24 * 60 * 60_000;
/** Life of a secret after its first reveal. */
const seenLife = 60 * 60_000;
/** How long the record is stored, so that its message can still be edited. */
const kept = 7 * 24 * 60 * 60_000;

const SecretRecord = z.object({
  member: z.string(),
  slackUser: z.string(),
  title: z.string(),
  /** Null once it is erased. */
  sealed: z.string().nullable(),
  state: z.enum(["offered", "revealed", "noted", "expired"]),
  changedAt: z.number(),
  /** When it is erased, seen or not. */
  until: z.number(),
});
type SecretRecord = z.infer<typeof SecretRecord>;
const Secrets = z.array(z.object({ label: z.string(), value: z.string(), link: z.boolean().optional() }));

export const revealAction = "reveal";
export const secretSubject = "secret";
const secretTimer = "secret:";
const secretKind = defineKind({
  name: "one-time secret",
  namespace: "secrets",
  schema: SecretRecord,
  ttlMs: kept,
});

/** Why a one-time secret is not shown. */
export type SecretGone = "noted" | "expired" | "not yours" | "unknown";

/** The parts of the app that keep one-time secrets. */
export type SecretsApp = Pick<Foundation, "store" | "seal" | "clock">;

/** "New root password of `web-2`": the noun of the secrets, since the name of an act alone would say that the act's target is erased. */
export function secretTitle([first, ...others]: readonly Secret[], name: PlainText): string {
  if (!first) return "";
  const label = secretWords(first.label);
  const isNamed = name === "" || characters(label).includes(characters(oneLine(name)));
  const noun = isNamed ? prose(label, 200) : `${prose(label, 200)} of ${code(name)}`;
  return others.length === 0 ? noun : `${noun}, with ${count(others.length, "more value")}`;
}

/** The platform's own name of a field, such as `sftp_password`, in words. A variable's name stays as its owner wrote it. */
export function secretWords(label: PlainText): PlainText {
  return characters(label).replace(
    /(?<![\w.])[a-z][a-z\d]*(?:[_.][a-z\d]+|[A-Z][a-z\d]*)+$/,
    (field) => labelled(field).label,
  );
}

/** Seals them, and offers them to the member in their direct messages; a second offer of the same id is the same one. */
export async function offerSecrets(
  app: SecretsApp,
  id: string,
  { member, slackUser }: { member: string; slackUser: string },
  title: string,
  secrets: Secret[],
): Promise<void> {
  const now = app.clock.now();
  const sealed = app.seal.seal(JSON.stringify(secrets), `${member}:${id}`);
  const times = { changedAt: now, until: now + unseenLife };
  await advance(
    app,
    { kind: secretKind, key: id, was: undefined, value: undefined },
    { member, slackUser, title, sealed, state: "offered", ...times },
  );
}

/** The secrets of a Reveal button, or the reason why there are none to show. The first reveal starts their hour. */
export async function revealSecrets(
  app: SecretsApp,
  id: string,
  member: string,
): Promise<{ title: string; secrets: Secret[] } | { gone: SecretGone }> {
  const { store, seal, clock } = app;
  // Another press, or the end of its time, may come first: then look at what is so by now.
  for (;;) {
    const stored = await store.read(secretKind, id);
    const offered = stored.value;
    if (!offered) return { gone: "unknown" };
    if (offered.member !== member) return { gone: "not yours" };
    const { title, sealed } = offered;
    if (sealed === null || clock.now() >= offered.until)
      return { gone: offered.state === "noted" ? "noted" : "expired" };
    const until = Math.min(offered.until, clock.now() + seenLife);
    const revealed = { ...offered, state: "revealed" as const, until, changedAt: clock.now() };
    if (offered.state === "offered" && !(await advance(app, stored, revealed))) continue;
    return { title, secrets: Secrets.parse(JSON.parse(seal.open(sealed, `${member}:${id}`))) };
  }
}

/** Erases the secrets, since the member has noted them. Says why not, if they are none of theirs; else null. */
export async function eraseNoted(app: SecretsApp, id: string, member: string): Promise<SecretGone | null> {
  // The modal closes after this, and that must mean that the secret is gone: a step that came first is followed by another try.
  for (;;) {
    const stored = await app.store.read(secretKind, id);
    const offered = stored.value;
    if (!offered) return "unknown";
    if (offered.member !== member) return "not yours";
    if (offered.sealed === null) return null;
    const noted = { ...offered, sealed: null, state: "noted" as const, changedAt: app.clock.now() };
    if (await advance(app, stored, noted)) return null;
  }
}

export function secretTimers(app: SecretsApp): LaneHandlers {
  return { [secretTimer]: (timerId) => expire(app, timerId.slice(secretTimer.length)) };
}

async function expire(app: SecretsApp, id: string): Promise<number | undefined> {
  const stored = await app.store.read(secretKind, id);
  const offered = stored.value;
  if (!offered || offered.sealed === null) return undefined;
  const now = app.clock.now();
  if (now < offered.until) return offered.until;
  await advance(app, stored, { ...offered, sealed: null, state: "expired", changedAt: now });
  return undefined;
}

/** Stores the next state; false, and nothing changes, if another step has overtaken it. */
function advance({ store, clock }: SecretsApp, stored: Stored<SecretRecord>, change: SecretRecord): Promise<boolean> {
  return store.transact({
    records: [replacing(stored, change)],
    timers: [
      { id: notificationTimer(secretSubject, stored.key), at: clock.now() },
      ...(change.sealed === null ? [] : [{ id: `${secretTimer}${stored.key}`, at: change.until }]),
    ],
  });
}

export function secretMessages(app: StoreApp): NotificationSource {
  return fromRecords(app, secretKind, (offered, id) => {
    const { slackUser: user, changedAt } = offered;
    // The last change comes at most `unseenLife` after the offer, so the message cannot be older than this.
    const since = changedAt - unseenLife;
    const message = messageOf(id, offered);
    return [{ slot: "offer", to: { in: "direct", user }, message, priority: "answer", since }];
  });
}

const lines: Record<SecretRecord["state"], string> = {
  offered:
    "only you can open it. *I have it* erases Rackbell's copy. Otherwise Rackbell erases it 1 hour after you open it, or after 24 hours.",
  revealed: "you opened it. *I have it* erases Rackbell's copy. Otherwise Rackbell erases it within the hour.",
  noted: "you have it, so Rackbell erased its copy.",
  expired: "its time is over, so Rackbell erased its copy. Make a new one if you do not have it.",
};

function messageOf(id: string, { title, state, sealed }: SecretRecord): Message {
  const text = `${title}: ${lines[state]}`;
  const reveal = sealed === null ? [] : [button("Reveal", revealAction, id, { style: "primary" })];
  return { text, blocks: [section(text), ...actions(reveal)] };
}
