import { Keyv } from "keyv";
import type { Logger } from "pino";
import { checkText, hasPassed } from "./checks.ts";
import type { Engine, Lasting } from "./engine.ts";
import { RecordUnreadable } from "./errors.ts";
import { baseOf, type Kind } from "./kind.ts";
import type { Store, TypedKeyv } from "./store.ts";

/** Unreadable records that were logged: one that is read every second must not fill the log. */
const mostRemembered = 1_000;

const lastingOf = ({ lasts }: Pick<Kind<unknown>, "lasts">): Lasting => (lasts === "memory" ? "system" : lasts);

/** The records of a store. */
export function createFace(engine: Engine, log: Logger): Pick<Store, "keyv" | "read" | "scan"> {
  const reported = new Set<string>();
  const made = new WeakMap<object, TypedKeyv<unknown>>();

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

  /** One kind as a storage adapter of Keyv. It parses by itself: Keyv's `deserialize` is not given the key, so its errors could not name the record. */
  function adapterOf<T>(kind: Kind<T>) {
    const base = baseOf(kind);
    const at = (key: string): string => base + checkText(key);
    const entry = (key: string, text: string | undefined) =>
      text === undefined ? undefined : { value: parse(kind, key, text) };

    function get(key: string) {
      const text = engine.get(at(key));
      return text instanceof Promise ? text.then((read) => entry(key, read)) : entry(key, text);
    }

    async function remove(key: string): Promise<boolean> {
      for (;;) {
        const was = await engine.get(at(key));
        if (was === undefined) return false;
        if (await engine.apply({ texts: [{ key: at(key), was, text: undefined }] }, { lasts: lastingOf(kind) }))
          return true;
      }
    }

    return {
      get,
      // Each of them rejects by itself: one that threw would leave the others without anybody who waits for them.
      getMany: (keys: string[]) => Promise.all(keys.map(async (key) => get(key))),
      async set(key: string, { value }: { value: T }, ttlMs: number | undefined) {
        const text = hasPassed(ttlMs) ? undefined : kind.write(value);
        await engine.apply({ texts: [{ key: at(key), text, ttlMs }] }, { lasts: lastingOf(kind) });
      },
      delete: remove,
      has: async (key: string) => (await engine.get(at(key))) !== undefined,
      async clear() {
        throw new TypeError("A kind of records is never cleared as a whole.");
      },
    };
  }

  /** Made once for each kind: rooms ask for it at every use, and a new Keyv takes 3 kB. */
  function typedKeyv<T>(kind: Kind<T>): TypedKeyv<T>;
  function typedKeyv(kind: Kind<unknown>): TypedKeyv<unknown> {
    const known = made.get(kind);
    if (known) return known;
    // Without `throwOnErrors` a failed read would look like a missing record.
    const keyv = new Keyv<unknown>({ store: adapterOf(kind), useKeyPrefix: false, throwOnErrors: true });
    keyv.ttl = kind.ttlMs;
    keyv.serialize = undefined;
    keyv.deserialize = undefined;
    made.set(kind, keyv);
    return keyv;
  }

  return {
    keyv: typedKeyv,
    async read(kind, key) {
      const was = await engine.get(baseOf(kind) + checkText(key));
      return { kind, key, was, value: was === undefined ? undefined : parse(kind, key, was) };
    },
    async *scan(kind) {
      const base = baseOf(kind);
      for await (const [at, text] of engine.scan(base)) {
        const key = at.slice(base.length);
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
