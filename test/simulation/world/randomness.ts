import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import type { Schedule } from "./schedule.ts";

/** Has all randomness of the process come from the seed. */
export function installRandomness(schedule: Schedule): void {
  function fill<T extends ArrayBufferView>(target: T): T {
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = schedule.draws.bytes.between(0, 255);
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
      high === undefined ? schedule.draws.bytes.between(0, low - 1) : schedule.draws.bytes.between(low, high - 1),
  });
  syncBuiltinESMExports();
  Math.random = () => schedule.draws.bytes.between(0, 2 ** 31 - 1) / 2 ** 31;
}
