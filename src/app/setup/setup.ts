import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../../process/clock.ts";
import { ConfigError, readConfig, valueFault } from "../config.ts";
import { diagnose } from "../doctor/diagnose.ts";
import type { Finding, Outside } from "../doctor/outside.ts";
import { unreadableFile } from "../installation.js";
import type { OpenPage } from "./browser.ts";
import type { EnvFile } from "./env-file.ts";

/** The parts that both ways of the setup work with: by questions, and without a terminal. */
export interface SetupTools {
  env: Record<string, string | undefined>;
  /** The folder of `.env`, and of the page with Slack's link where no browser is. */
  folder: string;
  file: EnvFile;
  /** False where the file is for another machine or another container. */
  mayStart: boolean;
  outside: Outside;
  openPage: OpenPage;
  clock: Clock;
  log: Logger;
}

/** `start`: Rackbell is to start now. `unfinished`: something is missing or needs mending. */
export type SetupOutcome = "ready" | "start" | "unfinished";

/** The variables that the setup finds, asks for or makes, and writes. Each other line of the file is its operator's own. */
export const setupVariables = [
  "PLATFORM_URL",
  "SLACK_APP_TOKEN",
  "SLACK_SIGNING_SECRET",
  "SLACK_BOT_TOKEN",
  "SLACK_API_URL",
  "PUBLIC_URL",
  "ENCRYPTION_KEY",
] as const;

/** The doctor's findings, without the store where that is in another container. */
export async function examine(tools: SetupTools, env: Record<string, string | undefined>): Promise<Finding[]> {
  const findings = await diagnose(env, tools);
  return findings.filter(({ about }) => tools.mayStart || about !== "store");
}

export function newEncryptionKey(): string {
  return randomBytes(32).toString("base64");
}

/** The faults that would stop a start with these variables. */
export function startFaults(env: Record<string, string | undefined>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

/** A sentence if the file is there and cannot be read; null if it can, or if there is none. */
export function readProblem(file: EnvFile): string | null {
  try {
    file.read();
    return null;
  } catch (error) {
    return unreadableFile(file.path, error);
  }
}

/** Writes the file, and returns null; or a sentence if the folder does not let it. */
export function writeProblem(file: EnvFile, changes: Readonly<Record<string, string>>): string | null {
  try {
    file.write(changes);
    return null;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "") throw error;
    return `${file.path} cannot be written (${code}): let this user write to its folder, or run the setup in another one.`;
  }
}

/**
 * Finds the platform's API root by its public list of routes, from its own address, from the panel's, or from that of a page of either.
 * Resolves with the reason, as a sentence, if none answers.
 */
export async function findApiRoot(
  text: string,
  { checkPlatform }: Pick<Outside, "checkPlatform">,
): Promise<{ root: string; says: string } | { problem: string }> {
  const roots = likelyRoots(text);
  const faults = roots.map((root) => valueFault("PLATFORM_URL", root));
  const [fault = "PLATFORM_URL is not a web address: it begins with https://."] = faults;
  if (fault !== null) return { problem: fault };
  const findings = await Promise.all(roots.map(checkPlatform));
  const at = findings.findIndex(({ fine }) => fine);
  const [root, found] = [roots[at], findings[at]];
  return root === undefined || found === undefined
    ? { problem: findings[0]?.says ?? fault ?? "" }
    : { root, says: found.says };
}

/** The addresses that can be meant, the likeliest first. */
function likelyRoots(text: string): string[] {
  const url = URL.parse(/^\w+:\/\//.test(text.trim()) ? text.trim() : `https://${text.trim()}`);
  if (!url) return [];
  const [before = "", ...after] = url.pathname.split(/\/api\/v1(?=\/|$)/);
  const parts = before.split("/").filter((part) => part !== "");
  // Of a page of the panel, its path may lead below the panel: the shorter addresses are tried beside it.
  const paths = after.length > 0 ? [parts] : [parts, ...parts.map((_, at) => parts.slice(0, at))].slice(0, 6);
  const { protocol, username, password, host } = url;
  const login = username || password ? `${username}:${password}@` : "";
  return paths.map((path) => `${protocol}//${login}${[host, ...path].join("/")}/api/v1`);
}
