import crypto, { hash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { createDraws, type Draws } from "../../torture/draws.ts";
import type { Schedule } from "./schedule.ts";

/** Has all randomness of the process come from the seed. */
export function installRandomness(schedule: Schedule): void {
  const draws = () => (schedule.isOrderly ? placeDraws() : schedule.draws.bytes);
  const placeDraws = createPlaceDraws(schedule);

  function fill<T extends ArrayBufferView>(target: T): T {
    const own = draws();
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = own.between(0, 255);
    return target;
  }

  function randomBytes(size: number, done?: (error: null, bytes: Buffer) => void): Buffer {
    const bytes = fill(Buffer.alloc(size));
    done?.(null, bytes);
    return bytes;
  }

  function randomUUID(): string {
    const bytes = fill(Buffer.alloc(16));
    bytes.writeUInt8((bytes.readUInt8(6) & 15) | 64, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 63) | 128, 8);
    return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  Object.assign(crypto, {
    randomBytes,
    randomUUID,
    randomFillSync: fill,
    randomInt: (low: number, high?: number) =>
      high === undefined ? draws().between(0, low - 1) : draws().between(low, high - 1),
  });
  syncBuiltinESMExports();
  Math.random = () => draws().between(0, 2 ** 31 - 1) / 2 ** 31;
}

/**
 * Draws for a place in the code, at a moment: the same in a world that stores elsewhere, though the code of its store draws more, or less
 * often.
 */
function createPlaceDraws(schedule: Schedule): () => Draws {
  const counts = new Map<string, number>();
  let moment = -1;

  return () => {
    if (schedule.time !== moment) counts.clear();
    moment = schedule.time;
    const { stack = "" } = new Error();
    // An instance has the same name on either store.
    const place = (/\/src\/\S+:\d+:\d+/.exec(stack)?.[0] ?? "elsewhere").replace(
      /storage\/\w+\/engine\.ts.*/,
      "engine",
    );
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    const name = `${schedule.seed} ${place} ${moment} ${count}`;
    return createDraws(Buffer.from(hash("sha1", name), "hex").readInt32LE());
  };
}
