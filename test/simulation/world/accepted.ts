import type { Engine, TextChange } from "../../../src/storage/engine.ts";

/** A write of one text, from its beginning until the store has answered. */
interface Write {
  key: string;
  text: string | undefined;
  begins: number;
  ends: number;
}

/** A shadow of the texts in a store: it moves only when the store has accepted a write. */
export interface Accepted {
  watch(engine: Engine): Engine;
  /** The records that the store has accepted and has no more, or has and never accepted, as sentences. `stored`: the texts that it has. */
  lost(stored: (key: string) => string | undefined): string[];
}

export function createAccepted(): Accepted {
  /** For each text the writes that may have been the last: without a doubt and without two at once there is one. */
  const last = new Map<string, Set<Write>>();
  const underWay = new Set<Write>();
  /** They end by themselves. */
  const timed = new Set<string>();
  let moment = 0;

  function begin({ key, text, ttlMs }: TextChange): Write[] {
    if (ttlMs !== undefined) timed.add(key);
    if (!key.startsWith("value:") || timed.has(key)) return [];
    moment += 1;
    const write = { key, text, begins: moment, ends: Number.POSITIVE_INFINITY };
    underWay.add(write);
    return [write];
  }

  /** Those that were over before this one began are gone, but for those that nobody knows the end of. */
  function accept(write: Write): void {
    moment += 1;
    write.ends = moment;
    underWay.delete(write);
    const before = [...(last.get(write.key) ?? [])].filter(({ ends }) => ends > write.begins);
    last.set(write.key, new Set([...before, write]));
  }

  return {
    watch: (engine) => ({
      ...engine,
      async apply(change, options) {
        const writes = (change.texts ?? []).flatMap(begin);
        try {
          const answer = await engine.apply(change, options);
          for (const write of writes)
            if (answer) accept(write);
            else underWay.delete(write);
          return answer;
        } catch (error) {
          // Of any other failure nobody knows whether it took effect, or will.
          if (String(error).includes("Nothing was changed")) for (const write of writes) underWay.delete(write);
          throw error;
        }
      },
    }),
    lost: (stored) =>
      [...last].flatMap(([key, writes]) => {
        const possible = [...writes, ...[...underWay].filter((write) => write.key === key)].map(({ text }) => text);
        const text = stored(key);
        return timed.has(key) || possible.includes(text)
          ? []
          : [
              `what the store accepted is kept: ${key} is ${text?.slice(0, 80)}, and it accepted ${possible.map((one) => one?.slice(0, 80))}`,
            ];
      }),
  };
}
