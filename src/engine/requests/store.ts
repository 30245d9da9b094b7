import * as z from "zod";
import type { MessageRef } from "../../chat/chat.ts";
import type { Clock } from "../../clock.ts";
import { scanAll } from "../../storage/scan-all.ts";
import type { Seal } from "../../storage/seal.ts";
import type { Store } from "../../storage/store.ts";
import { Claim, isOpen, Request } from "./request.ts";

const month = 30 * 24 * 60 * 60_000;

export interface RequestStore {
  read(id: string): Promise<Request | null>;
  save(request: Request): Promise<void>;
  /** Where the request is shown: kept apart, so that noting it cannot undo a press that came first. */
  noteMessage(id: string, ref: MessageRef): Promise<void>;
  /** Takes a request in hand; false if somebody has it. */
  claim(id: string, purpose: Claim["purpose"], slackUser: string): Promise<boolean>;
  claimOf(id: string): Promise<Claim | null>;
  /** Gives it back, so that it can be decided again. */
  release(id: string): Promise<void>;
  /** Takes a thing in hand for as long as a press works on it; tells who has it, or null when it is now theirs. */
  lock(thing: string, holder: Holder): Promise<Holder | null>;
  unlock(thing: string): Promise<void>;
  open(): Promise<Request[]>;
  sealInput(id: string, input: Record<string, unknown>): string;
  /** The sealed input; empty when it has been erased. */
  input(request: Request): Record<string, unknown>;
  /** Makes sure that the request is looked at then. */
  wake(id: string, at: number): Promise<void>;
  isAlive(instance: string): Promise<boolean>;
}

/** Whose press works on a thing at this moment. */
export const Holder = z.object({ request: z.string(), slackUser: z.string() });
export type Holder = z.infer<typeof Holder>;

/** Longer than a press works, shorter than anybody would wait after a crash. */
const holdFor = 2 * 60_000;

export const requestWake = "request:";

export function createRequestStore({ store, seal, clock }: { store: Store; seal: Seal; clock: Clock }): RequestStore {
  const requests = store.values("requests");
  const messages = store.values("request-messages");
  const holds = store.values("request-holds");
  const claims = store.values("request-claims");

  async function shown(request: Request): Promise<Request> {
    const message = Request.shape.message.safeParse((await messages.get(request.id)) ?? null);
    return { ...request, message: message.data ?? null };
  }

  return {
    async read(id) {
      const parsed = Request.safeParse(await requests.get(id));
      return parsed.success ? shown(parsed.data) : null;
    },
    noteMessage: (id, ref) => messages.set(id, ref, month),
    save: (request) => requests.set(request.id, request, request.expiresAt + month - clock.now()),
    claim: (id, purpose, slackUser) =>
      claims.claim(id, { purpose, slackUser, instance: store.instance, at: clock.now() } satisfies Claim, month),
    async claimOf(id) {
      const parsed = Claim.safeParse(await claims.get(id));
      return parsed.success ? parsed.data : null;
    },
    async lock(thing, holder) {
      if (await holds.claim(thing, holder, holdFor)) return null;
      const parsed = Holder.safeParse(await holds.get(thing));
      return parsed.success ? parsed.data : holder;
    },
    unlock: (thing) => holds.delete(thing),
    release: (id) => claims.delete(id),
    async open() {
      const found: Request[] = [];
      for await (const [, value] of scanAll(requests)) {
        const parsed = Request.safeParse(value);
        if (parsed.success && isOpen(parsed.data)) found.push(await shown(parsed.data));
      }
      return found.sort((a, b) => a.createdAt - b.createdAt);
    },
    sealInput: (id, input) => seal.seal(JSON.stringify(input), id),
    input({ sealed, id }) {
      if (sealed === null) return {};
      const opened: unknown = JSON.parse(seal.open(sealed, id));
      return typeof opened === "object" && opened !== null ? { ...opened } : {};
    },
    wake: (id, at) => store.wakeups.wake(`${requestWake}${id}`, at),
    isAlive: (instance) => store.alive(instance),
  };
}
