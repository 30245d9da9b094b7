import { hash } from "node:crypto";

/** What stands for a unique of a log: 16 bytes, however long the text is. */
export function digestOf(log: string, unique: string): Buffer {
  // A length before each text: two pairs never run together into one.
  return hash("sha256", `${log.length}:${log}${unique}`, "buffer").subarray(0, 16);
}
