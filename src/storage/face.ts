import { Keyv } from "keyv";
import type { Logger } from "pino";
import { checkText, hasPassed } from "./checks.ts";
import { RecordUnreadable } from "./errors.ts";
import type { Kind } from "./kind.ts";
import type { Store, TypedKeyv } from "./store.ts";

/** The result of a read: itself if it is in memory. A promise for each of them would be 16 kB of garbage a command. */
export type Reading<T> = T | Promise<T>;

/** The stored texts of one kind, which each backend implements. A time to live is in milliseconds. */
export interface Texts {
  get(key: string): Reading<string | undefined>;
  set(key: string, text: string, ttlMs: number | undefined): Promise<unknown>;
  /** True if there was one. */
  delete(key: string): Promise<boolean>;
  has(key: string): Promise<boolean>;
  /** Every entry; one may come twice. */
  scan(): AsyncGenerator<[key: string, text: string]>;
}

/** One kind's texts, and the Keyv over them. */
interface KindTexts {
  texts: Texts;
  keyv: TypedKeyv<unknown>;
}

export type TextsOf = (kind: Pick<Kind<unknown>, "namespace" | "lasts">) => Texts;

/** Keys of unreadable records that were logged: one that is read every second must not fill the log. */
const mostRemembered = 1_000;

/** The records of a store, over the texts of its backend. */
export function createFace(textsOf: TextsOf, log: Logger): Pick<Store, "keyv" | "read" | "scan"> {
  const reported = new Set<string>();

  function parse<T>(kind: Kind<T>, key: string, text: string): T {
    try {
      return kind.read(key, text);
    } catch (error) {
      if (error instanceof RecordUnreadable) report(error);
      throw error;
    }
  }

  function report({ record, key, why }: RecordUnreadable): void {
    if (reported.has(`${record} ${key}`)) return;
    if (reported.size >= mostRemembered) reported.clear();
    reported.add(`${record} ${key}`);
    log.error({ record, key, why }, "a kept record cannot be read");
  }

  /**
   * One kind as a storage adapter of Keyv. It serializes and parses itself: Keyv's `deserialize` is not given the key, so its errors could
   * not name the record.
   */
  function adapterOf<T>(kind: Kind<T>, texts: Texts) {
    const entry = (key: string, text: string | undefined) =>
      text === undefined ? undefined : { value: parse(kind, key, text) };

    function get(key: string) {
      const text = texts.get(checkText(key));
      return text instanceof Promise ? text.then((read) => entry(key, read)) : entry(key, text);
    }

    return {
      get,
      // Each of them rejects by itself: one that threw would leave the others without anybody who waits for them.
      getMany: (keys: string[]) => Promise.all(keys.map(async (key) => get(key))),
      async set(key: string, { value }: { value: T }, ttlMs: number | undefined) {
        const text = kind.write(value);
        if (hasPassed(ttlMs)) await texts.delete(checkText(key));
        else await texts.set(checkText(key), text, ttlMs);
      },
      delete: async (key: string) => texts.delete(checkText(key)),
      has: async (key: string) => texts.has(checkText(key)),
      async clear() {
        throw new TypeError("A kind of records is never cleared as a whole.");
      },
    };
  }

  const made = new WeakMap<object, KindTexts>();

  /** Made once for each kind: rooms ask for it at every use, and a new Keyv takes 3 kB. */
  function textsAndKeyv(kind: Kind<unknown>): KindTexts {
    const known = made.get(kind);
    if (known) return known;
    const texts = textsOf(kind);
    const both = { texts, keyv: keyvOf(kind, texts) };
    made.set(kind, both);
    return both;
  }

  function keyvOf(kind: Kind<unknown>, texts: Texts): TypedKeyv<unknown> {
    // Without `throwOnErrors` a failed read would look like a missing record.
    const keyv = new Keyv<unknown>({ store: adapterOf(kind, texts), useKeyPrefix: false, throwOnErrors: true });
    keyv.ttl = kind.ttlMs;
    keyv.serialize = undefined;
    keyv.deserialize = undefined;
    return keyv;
  }

  function typedKeyv<T>(kind: Kind<T>): TypedKeyv<T>;
  function typedKeyv(kind: Kind<unknown>): TypedKeyv<unknown> {
    return textsAndKeyv(kind).keyv;
  }

  return {
    keyv: typedKeyv,
    async read(kind, key) {
      const was = await textsAndKeyv(kind).texts.get(checkText(key));
      return { kind, key, was, value: was === undefined ? undefined : parse(kind, key, was) };
    },
    async *scan(kind) {
      for await (const [key, text] of textsAndKeyv(kind).texts.scan()) {
        try {
          yield { kind, key, was: text, value: parse(kind, key, text) };
        } catch (error) {
          // It was logged, and must not hide the others.
          if (!(error instanceof RecordUnreadable)) throw error;
        }
      }
    },
  };
}
