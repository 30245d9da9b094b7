import { hash } from "node:crypto";

/** The 16 bytes that stand for a unique of a log, however long the text is. */
export function digestOf(log: string, unique: string): Buffer {
  // The length prefix keeps two different pairs from becoming the same text.
  return hash("sha256", `${log.length}:${log}${unique}`, "buffer").subarray(0, 16);
}
