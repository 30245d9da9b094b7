import { readFileSync } from "node:fs";
import * as z from "zod";

/** The version from package.json. */
export function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
