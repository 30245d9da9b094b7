// Plain JavaScript, in words that old versions know: it is what tells them that they are too old.
import { readFileSync } from "node:fs";

const needed = [24, 15];

/**
 * @param {string} version as in `process.versions.node`
 * @returns {string | null} why it will not do, as a sentence for the operator; null where it will
 */
export function whyNot(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return null;
  return `Rackbell needs Node.js ${needed.join(".")} or later, and this is ${version}: install a newer one from https://nodejs.org, or use the container image.`;
}

/**
 * Imports a module of ours. Ends the process with a sentence if a package is missing: the stack would name a file and no remedy.
 *
 * @param {() => Promise<unknown>} load
 */
export async function loadOrEnd(load) {
  try {
    await load();
  } catch (error) {
    const missing = error.code === "ERR_MODULE_NOT_FOUND" && /package '([^']+)'/.exec(error.message)?.[1];
    if (!missing) throw error;
    endWith(`The package ${missing} is not installed: run \`npm ci\`, without --omit=dev, and try again.`);
  }
}

/** @param {string} sentence */
export function endWith(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/**
 * Takes the variables of `.env` in this folder, where it is there. Those of the environment stay as they are. Reads it first, because
 * `process.loadEnvFile` calls each file that it cannot open missing (Node.js 26).
 */
export function takeEnvFile() {
  try {
    if (textIfThere(".env") !== "") process.loadEnvFile();
  } catch (error) {
    endWith(unreadableFile(".env", error));
  }
}

/**
 * The text of a file of variables; empty where it is missing.
 * @param {string} path
 */
export function textIfThere(path) {
  try {
    const text = readFileSync(path, "utf8");
    // Node.js takes the mark for a part of the first variable's name.
    if (text.startsWith("\uFEFF")) endWith(`${path} begins with a byte order mark: save it as UTF-8 without one.`);
    return text;
  } catch (error) {
    if (error.code === "ENOENT") return "";
    throw error;
  }
}

/**
 * @param {string} path
 * @param {{ code?: unknown }} error of the file system; any other one is thrown again
 */
export function unreadableFile(path, error) {
  if (typeof error.code !== "string") throw error;
  return `${path} cannot be read (${error.code}): let this user read it, or move it away.`;
}
