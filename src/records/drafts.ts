import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../clock.ts";
import type { Json } from "../operation/answer.ts";
import { defineKind } from "../storage/kind.ts";
import type { Seal } from "../storage/seal.ts";
import type { Store } from "../storage/store.ts";

const life = 60 * 60_000;

const DraftRecord = z.object({
  member: z.string(),
  command: z.string(),
  page: z.string(),
  at: z.number(),
  sealed: z.string(),
});

/** Multi-page forms in progress: encrypted, bound to their member, and deleted an hour after the last change. */
export interface Drafts {
  open(owner: Owner, state: DraftState): Promise<string>;
  /** Null when it is gone, or somebody else's. */
  read(id: string, owner: Owner): Promise<DraftState | null>;
  save(id: string, owner: Owner, state: DraftState): Promise<void>;
  /** The form was sent: its draft stays for corrections, and `latest` no longer offers it. */
  setAside(owner: Owner): Promise<void>;
  /** The draft that the member last saved, and when (milliseconds); null when there is none. */
  latest(owner: Owner): Promise<{ id: string; at: number } | null>;
}

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
const draftKind = defineKind({ name: "draft", namespace: "drafts", schema: DraftRecord, version: 1, ttlMs: life });

export function createDrafts(deps: { store: Store; seal: Seal; clock: Clock }): Drafts {
  const { store, seal, clock } = deps;
  const kept = store.keyv(draftKind);
  const last = store.keyv(lastDrafts);

  async function find(id: string, { member, command }: Owner): Promise<z.infer<typeof DraftRecord> | null> {
    const found = await kept.get(id);
    return found?.member === member && found.command === command ? found : null;
  }

  async function write(id: string, { member, command }: Owner, { page, draft }: DraftState): Promise<void> {
    const sealed = seal.seal(JSON.stringify(draft), `${member}:${id}`);
    await kept.set(id, { member, command, page, at: clock.now(), sealed });
  }

  return {
    async save(id, owner, state) {
      await write(id, owner, state);
      await last.set(`${owner.member} ${owner.command}`, id);
    },
    async setAside({ member, command }) {
      await last.delete(`${member} ${command}`);
    },
    async open(owner, state) {
      const id = randomUUID();
      // Not stored as the latest draft: nothing is filled in yet.
      await write(id, owner, state);
      return id;
    },
    async read(id, owner) {
      const found = await find(id, owner);
      if (!found) return null;
      const draft = z.json().parse(JSON.parse(seal.open(found.sealed, `${owner.member}:${id}`)));
      return { page: found.page, draft };
    },
    async latest(owner) {
      const id = await last.get(`${owner.member} ${owner.command}`);
      const found = id === undefined ? null : await find(id, owner);
      return id !== undefined && found ? { id, at: found.at } : null;
    },
  };
}
