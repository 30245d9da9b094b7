import { format } from "node:util";
import { LogLevel, type Logger as SlackLogger } from "@slack/web-api";
import { type DestinationStream, type Logger, pino } from "pino";

/** JSON lines on `destination` (standard output). `onScrub` hears of each line that the last guard had to change: a leak to mend. */
export function createLog(options: { level: string; destination?: DestinationStream; onScrub?: () => void }): Logger {
  const settings = {
    level: options.level,
    redact: { paths: secretPaths, censor: redacted },
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

const redacted = "[redacted]";

// Only at the top: paths with wildcards cost pino 50 µs a line, and the scrubber finds the same names at any depth in 7.
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

/** In the order in which they are tried. Each keeps what names the secret, and leaves JSON whole: no match ends inside an escape. */
const shapes: [pattern: RegExp, replacement: string][] = [
  [/(fbk|rsk)_[\w-]{9,}/gi, `$1_${redacted}`],
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

/** `text` with all that looks like a key, a token, a signing secret or a password taken out. Applied twice it changes nothing more. */
export function scrub(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of shapes) clean = clean.replace(pattern, replacement);
  // What was taken out may have stood between a name and the next secret: only a text that stays as it is has none left.
  return clean === text ? clean : scrub(clean);
}

/** Slack's libraries log through `log`. Their debug output prints modal values, so it is never passed on, whatever level they ask for. */
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

/** Logs, scrubbed, a failure that nobody handled. It ends the process, as it would without this, but not with a secret in its last words. */
export function logUnhandled(source: RejectionSource, log: Logger): void {
  source.on("unhandledRejection", (reason) => {
    log.fatal({ err: reason }, "a failure that nobody handled; the process ends");
    throw new Error("A failure that nobody handled has ended Rackbell; its log has the details.");
  });
}
