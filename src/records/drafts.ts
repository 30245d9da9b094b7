import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Json } from "../operation/answer.ts";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";

const life = 60 * 60_000;

const DraftRecord = z.object({
  member: z.string(),
  command: z.string(),
  page: z.string(),
  at: z.number(),
  sealed: z.string(),
});

// Multi-page forms in progress: encrypted, bound to their member, and deleted an hour after the last change.

/** The parts of the app that the drafts work with. */
export type DraftsApp = Pick<Foundation, "store" | "seal" | "clock">;

export interface DraftState {
  /** The page that is shown next. */
  page: string;
  draft: Json;
}

export interface Owner {
  member: string;
  command: string;
}

/** The id of the draft that a member last saved, by member and command. */
const lastDrafts = defineKind({ name: "last draft", namespace: "last-drafts", schema: z.string(), ttlMs: life });
const drafts = defineKind({ name: "draft", namespace: "drafts", schema: DraftRecord, ttlMs: life });

/** Starts a draft and returns its id. It is not the latest one yet: nothing is filled in. */
export async function openDraft(app: DraftsApp, owner: Owner, state: DraftState): Promise<string> {
  const id = randomUUID();
  await write(app, id, owner, state);
  return id;
}

/** Null when it is gone, or somebody else's. */
export async function readDraft(app: DraftsApp, id: string, owner: Owner): Promise<DraftState | null> {
  const found = await find(app, id, owner);
  if (!found) return null;
  const draft = z.json().parse(JSON.parse(app.seal.open(found.sealed, `${owner.member}:${id}`)));
  return { page: found.page, draft };
}

export async function saveDraft(app: DraftsApp, id: string, owner: Owner, state: DraftState): Promise<void> {
  await write(app, id, owner, state);
  await app.store.keyv(lastDrafts).set(lastKeyOf(owner), id);
}

/** The form was sent: its draft stays for corrections, and `latestDraft` no longer offers it. */
export async function setDraftAside({ store }: DraftsApp, owner: Owner): Promise<void> {
  await store.keyv(lastDrafts).delete(lastKeyOf(owner));
}

/** The draft that the member last saved, and when (milliseconds); null when there is none. */
export async function latestDraft(app: DraftsApp, owner: Owner): Promise<{ id: string; at: number } | null> {
  const id = await app.store.keyv(lastDrafts).get(lastKeyOf(owner));
  const found = id === undefined ? null : await find(app, id, owner);
  return id !== undefined && found ? { id, at: found.at } : null;
}

function lastKeyOf({ member, command }: Owner): string {
  return `${member} ${command}`;
}

async function find({ store }: DraftsApp, id: string, owner: Owner): Promise<z.infer<typeof DraftRecord> | null> {
  const found = await store.keyv(drafts).get(id);
  return found?.member === owner.member && found.command === owner.command ? found : null;
}

async function write(app: DraftsApp, id: string, owner: Owner, { page, draft }: DraftState): Promise<void> {
  const { member, command } = owner;
  const sealed = app.seal.seal(JSON.stringify(draft), `${member}:${id}`);
  await app.store.keyv(drafts).set(id, { member, command, page, at: app.clock.now(), sealed });
}
