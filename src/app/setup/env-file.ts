import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { textIfThere } from "../installation.js";

/** A file of variables, as Node and Docker read it. */
export interface EnvFile {
  path: string;
  /** Its variables; null if there is no file, or nothing in it. Throws an error of the file system. */
  read(): Record<string, string> | null;
  /**
   * Sets these variables, and leaves each other line as it is. The file is complete at any moment, and its user alone can read it. Throws
   * an error of the file system.
   */
  write(changes: Readonly<Record<string, string>>): void;
}

/** The file `.env` of a folder. */
export function envFileIn(folder: string): EnvFile {
  const path = join(folder, ".env");

  const text = (): string => textIfThere(path);

  return {
    path,
    read: () => (text().trim() === "" ? null : Object.fromEntries(definedIn(parseEnv(text())))),
    write(changes) {
      // A link stays one: the rename would put a file in its place.
      const target = existsSync(path) ? realpathSync(path) : path;
      const next = `${target}.new`;
      rmSync(next, { force: true });
      writeFileSync(next, withVariables(text(), changes), { flag: "wx", mode: 0o600, flush: true });
      renameSync(next, target);
    },
  };
}

function definedIn(variables: NodeJS.Dict<string>): [string, string][] {
  return Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

/**
 * Docker takes quotes as a part of the value, so the lines have none. No value of the setup has white space: a line end in an address would
 * begin another variable.
 */
function withVariables(text: string, changes: Readonly<Record<string, string>>): string {
  let lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  for (const [name, value] of Object.entries(changes)) {
    const [line, isOld] = [`${name}=${value.replaceAll(/\s/g, "")}`, new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`)];
    lines = lines.some((one) => isOld.test(one))
      ? lines.map((one) => (isOld.test(one) ? line : one))
      : [...lines, line];
  }
  return lines.map((line) => `${line}\n`).join("");
}
