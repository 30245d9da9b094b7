import { format } from "node:util";
import { LogLevel, type Logger as SlackLogger } from "@slack/web-api";
import { type DestinationStream, type Logger, pino } from "pino";
import { keyCharacter } from "./secret-parts.ts";
import { currentRequest } from "./trace.ts";

/**
 * Writes JSON lines to `destination` (standard output). `onScrub` is called for each line from which the scrubber removed a secret: a
 * leak to mend.
 */
export function createLog(options: { level: string; destination?: DestinationStream; onScrub?: () => void }): Logger {
  const settings = {
    level: options.level,
    redact: { paths: secretPaths, censor: redacted },
    mixin: requestOf,
    hooks: {
      streamWrite(line: string): string {
        const clean = scrub(line);
        if (clean !== line) options.onScrub?.();
        return clean;
      },
    },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

/** A line of a request has its id, as its spans do. */
function requestOf(): object {
  const request = currentRequest();
  return request === null ? {} : { request };
}

const redacted = "[redacted]";

// Top-level names only: wildcard paths cost pino 50 µs a line, and the scrubber finds the same names at any depth in 7.
const secretPaths = [
  "password",
  "secret",
  "token",
  "apiKey",
  "authorization",
  "cookie",
  "botToken",
  "appToken",
  "signingSecret",
  "encryptionKey",
];

const secretWord = "password|passphrase|passwd|secret|token|ticket|api[_-]?key|authorization";
const secretField = `(?:${secretWord}|encryptionKey|cookie|private_metadata|response_url|trigger_id)`;
const assigned = `((?:${secretWord}|(?<![a-z])pass)=`;

/** Tried in this order. Each match keeps the secret's name, and ends at no JSON escape, so that the line stays valid JSON. */
const shapes: [pattern: RegExp, replacement: string][] = [
  [new RegExp(`(fbk|rsk|rba)_${keyCharacter}{9,}`, "gi"), `$1_${redacted}`],
  [/(xox[a-z](?:\.xox[a-z])?|xapp)-[\w%+/=-]{4,}/gi, `$1-${redacted}`],
  [/\b(bearer|basic)(\s+)[\w.~+/=-]{8,}/gi, `$1$2${redacted}`],
  [/(hooks\.slack\.com\/\w+\/)[\w/-]+/gi, `$1${redacted}`],
  [/(:\/\/[^\s:@/"]*:)[^\s@/"]+@/g, `$1${redacted}@`],
  // A field of a JSON object, and one of JSON inside a JSON string, where every quote is escaped once more.
  [new RegExp(String.raw`(${secretField}"\s*:\s*")(?:[^"\\]|\\.)+`, "gi"), `$1${redacted}`],
  [new RegExp(String.raw`(${secretField}\\"\s*:\s*\\")(?:[^"\\]|\\\\\\.|\\\\[^"\\]|\\[^"\\])+`, "gi"), `$1${redacted}`],
  [new RegExp(String.raw`(${secretField}\\?"\s*:\s*)-?\d[\w.+-]*`, "gi"), "$1null"],
  [new RegExp(String.raw`${assigned}\\*")(?:[^"\\]|\\[^"])+`, "gi"), `$1${redacted}`],
  [new RegExp(String.raw`${assigned}[“”„«»])[^“”„«»"\\]+`, "gi"), `$1${redacted}`],
  [new RegExp(String.raw`${assigned}['‘’])[^'‘’"\\]+`, "gi"), `$1${redacted}`],
  [new RegExp(String.raw`${assigned})[^\s&"'\\[“”„«»‘’]+`, "gi"), `$1${redacted}`],
  [/(secret.{0,40}?)(?<![0-9a-f])[0-9a-f]{32,}/gi, `$1${redacted}`],
  [/(?<![0-9a-f])[0-9a-f]{96,}/gi, redacted],
];

/** `text` without anything that looks like a key, a token, a signing secret or a password. A second call changes nothing more. */
export function scrub(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of shapes) clean = clean.replace(pattern, replacement);
  // Removing one secret may bring another next to its name, so repeat until nothing changes.
  return clean === text ? clean : scrub(clean);
}

/** A logger for Slack's libraries that writes to `log`. It drops their debug output at any level, since that prints modal values. */
export function slackLogger(log: Logger): SlackLogger {
  let level: LogLevel = LogLevel.INFO;
  const order = [LogLevel.DEBUG, LogLevel.INFO, LogLevel.WARN, LogLevel.ERROR];

  function write(at: LogLevel.INFO | LogLevel.WARN | LogLevel.ERROR, parts: unknown[]): void {
    if (order.indexOf(at) < order.indexOf(level)) return;
    const err = parts.find((part) => part instanceof Error);
    log[at]({ ...(err && { err }) }, format(...parts.map((part) => (part instanceof Error ? part.message : part))));
  }

  return {
    debug() {},
    info: (...parts) => write(LogLevel.INFO, parts),
    warn: (...parts) => write(LogLevel.WARN, parts),
    error: (...parts) => write(LogLevel.ERROR, parts),
    setLevel(wanted) {
      level = wanted === LogLevel.DEBUG ? LogLevel.INFO : wanted;
    },
    getLevel: () => level,
    setName() {},
  };
}

/** The part of `process` that `logUnhandled` needs. */
export interface RejectionSource {
  on(event: "unhandledRejection", listener: (reason: unknown) => void): unknown;
}

/** Logs an unhandled rejection, scrubbed, and ends the process. Node alone would print the error with any secret in it. */
export function logUnhandled(source: RejectionSource, log: Logger): void {
  source.on("unhandledRejection", (reason) => {
    log.fatal({ err: reason }, "a failure that nobody handled; the process ends");
    throw new Error("A failure that nobody handled has ended Rackbell; its log has the details.");
  });
}
