import { readFileSync } from "node:fs";
import * as z from "#zod";
import { passkeySiteOf } from "../process/webauthn/site.ts";

/** The settings from the environment. The guide (variables.md) explains each variable. */
export type Config = ReturnType<typeof readConfig>;

export type SlackConfig = { botToken: string; apiUrl: string } & (
  | { mode: "socket"; appToken: string }
  | { mode: "http"; signingSecret: string }
);

/** Thrown for a wrong environment, with every fault at once. It never repeats a value, since any of them may hold a secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly faults: string[];

  constructor(faults: string[]) {
    super(["Rackbell did not start, because of its configuration:", ...faults.map((fault) => `- ${fault}`)].join("\n"));
    this.faults = faults;
  }
}

/**
 * Reads the environment once, with the files that its `…_FILE` variables name. Empty values count as missing. Throws a `ConfigError` naming
 * every fault at once.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const vars = checked(setVariables(env));
  return {
    /** The API root, without a slash at its end. */
    platformUrl: vars.PLATFORM_URL,
    slack: slackConfig(vars),
    encryption: {
      key: vars.ENCRYPTION_KEY,
      ...(vars.ENCRYPTION_KEY_PREVIOUS && { previous: vars.ENCRYPTION_KEY_PREVIOUS }),
    },
    storeUrl: vars.STORE_URL,
    storePrefix: vars.STORE_PREFIX,
    host: vars.HOST,
    port: vars.PORT,
    /** The base URL under which the platform reaches this app, without a slash at its end. */
    publicUrl: vars.PUBLIC_URL,
    /** Pages of the platform's panel: the one that makes API keys, and a service's page, with `{id}`. */
    panel: {
      ...(vars.PANEL_KEYS_URL && { keysUrl: vars.PANEL_KEYS_URL }),
      ...(vars.PANEL_SERVICE_URL && { serviceUrl: vars.PANEL_SERVICE_URL }),
    },
    /** `ttl` in milliseconds. */
    approvals: { mode: vars.APPROVALS, ttl: vars.APPROVAL_TTL },
    audit: {
      /** Milliseconds for which audit entries are kept. */
      retentionMs: vars.AUDIT_RETENTION,
      /** The outside address that gets each entry. */
      collector: vars.AUDIT_URL && vars.AUDIT_SECRET ? { url: vars.AUDIT_URL, secret: vars.AUDIT_SECRET } : undefined,
    },
    /** True if Rackbell checks that Slack's payloads reach its socket. */
    socketCheck: vars.SOCKET_CHECK === "on",
    /** `required`: everything that destroys needs a passkey. */
    passkeys: vars.PASSKEYS,
    /** True if members' agents may call `POST /mcp` of `publicUrl`. */
    agents: vars.AGENTS === "on",
    /** Milliseconds after which a member must link their key again. */
    linkMaxAgeMs: vars.LINK_MAX_AGE,
    /** Slack user ids; none means the workspace's own admins. */
    admins: vars.ADMINS,
    /** Milliseconds that a stop may take. */
    stopGraceMs: vars.STOP_GRACE,
    metricsToken: vars.METRICS_TOKEN,
    logLevel: vars.LOG_LEVEL,
  };
}

/** The settings of the store alone, for a tool that needs no other. Throws a `ConfigError`. */
export function readStoreConfig(env: Record<string, string | undefined>): { url: string; prefix: string } {
  const given = setVariables(env);
  const parsed = Environment.pick({ STORE_URL: true, STORE_PREFIX: true }).safeParse(given.values);
  const refused = given.refused.get("STORE_URL");
  if (refused !== undefined) throw new ConfigError([refused]);
  if (!parsed.success) throw new ConfigError(faultSentences(parsed.error, given));
  return { url: parsed.data.STORE_URL, prefix: parsed.data.STORE_PREFIX };
}

/**
 * Judges one value by its own form, before the rest is there. Returns the fault as the start would say it, without the value, and null
 * where there is none.
 */
export function valueFault(name: keyof Variables, text: string): string | null {
  const form: z.ZodType = Environment.shape[name];
  const { error } = form.safeParse(text.trim() || undefined);
  return error ? `${name} ${error.issues[0]?.message}` : null;
}

/** Slack's Web API at SLACK_API_URL, or its usual address without one. Throws if `valueFault` finds one. */
export function slackApiUrl(text?: string): string {
  return Environment.shape.SLACK_API_URL.parse(text);
}

/** The variables that are set. `filed`: those whose value is a file's. `refused`: those that cannot be taken, each with the sentence that says why. */
export interface SetVariables {
  values: Record<string, string>;
  filed: ReadonlySet<string>;
  refused: ReadonlyMap<string, string>;
}

function checked(given: SetVariables): Variables {
  const { values, refused } = given;
  const parsed = Environment.safeParse(values);
  const faults = [...refused.values(), ...(parsed.success ? [] : faultSentences(parsed.error, given))];
  const isSet = (name: string) => name in values || refused.has(name);
  if (!isSet("SLACK_APP_TOKEN") && !isSet("SLACK_SIGNING_SECRET")) {
    faults.push(
      "SLACK_APP_TOKEN is missing, and so is SLACK_SIGNING_SECRET: set the first for Socket Mode, or the second if Slack posts to this app.",
    );
  }
  if (values.AGENTS === "on" && !isSafeAddress(values.PUBLIC_URL))
    faults.push("AGENTS needs PUBLIC_URL, with https or on this machine: an agent sends its token there.");
  const site = passkeySiteOf(URL.canParse(values.PUBLIC_URL ?? "") ? values.PUBLIC_URL : undefined);
  if (values.PASSKEYS === "required" && "problem" in site)
    faults.push(`PASSKEYS is required, and PUBLIC_URL allows none, so nothing could be destroyed: ${site.problem}`);
  if (!faults.some((fault) => fault.startsWith("AUDIT_"))) faults.push(...collectorFaults(values));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return parsed.data;
}

/** A sentence for each issue. A variable that was refused is not missing as well. */
function faultSentences({ issues }: z.ZodError, { filed, refused }: SetVariables): string[] {
  return issues
    .map(({ path, message }) => ({ name: path.join("."), message }))
    .filter(({ name }) => !refused.has(name))
    .map(({ name, message }) => `${name}${filed.has(name) ? `, from ${fileVariable(name)},` : ""} ${message}`);
}

const notAKey = "is not 32 bytes in base64 or hex.";
const newKey = "Make one with `openssl rand -base64 32`, and keep it: stored data cannot be read without it.";

const newWebhookSecret = '`echo "whsec_$(openssl rand -base64 32)"`';

/** The variables that may hold a secret. Each of them can be in a file instead, which the variable with `_FILE` after its name has the path of. */
const secrets = {
  SLACK_BOT_TOKEN: required(
    "Copy the bot token, which begins with xoxb-, from the Slack app's Install App page.",
  ).regex(
    /^xoxb-[\w-]+$/,
    "is not a bot token: copy the one that begins with xoxb- from the Slack app's Install App page.",
  ),
  SLACK_APP_TOKEN: z
    .string()
    .regex(
      /^xapp-[\w-]+$/,
      "is not an app-level token: make one with connections:write on the Slack app's Basic Information page; it begins with xapp-.",
    )
    .optional(),
  SLACK_SIGNING_SECRET: z
    .string()
    .regex(/^[0-9a-f]{32,64}$/i, "is not a signing secret: copy it from the Slack app's Basic Information page.")
    .optional(),
  ENCRYPTION_KEY: required(newKey).transform((text, context) => key(text) ?? fault(context, `${notAKey} ${newKey}`)),
  ENCRYPTION_KEY_PREVIOUS: z
    .string()
    .transform((text, context) => key(text) ?? fault(context, `${notAKey} Set it to the key that was in use before.`))
    .optional(),
  STORE_URL: z
    .string()
    .regex(/^(sqlite:.|rediss?:\/\/[^/\s])\S*$/, "is not a store: use sqlite:path/to/file.db, redis://… or rediss://….")
    .default("sqlite:data/rackbell.db"),
  AUDIT_SECRET: z
    .string()
    .transform(
      (text, context) =>
        webhookSecret(text) ??
        fault(context, `is not whsec_ with 24 to 64 bytes in base64 after it: make one with ${newWebhookSecret}.`),
    )
    .optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "cannot be sent in a header: use letters, digits and signs, without spaces.")
    .optional(),
};

/** The names of the variables that can be in a file. */
export const secretVariables: readonly string[] = Object.keys(secrets);

function fileVariable(name: string): string {
  return `${name}_FILE`;
}

export const Environment = z.object({
  PLATFORM_URL: required("Set it to the platform's API root, such as https://panel.example.com/api/v1.")
    .transform(webAddress(withoutSlash))
    .refine(
      (url) => url.endsWith("/api/v1"),
      "does not end in /api/v1: set it to the API root, not to the panel's own address.",
    ),
  ...secrets,
  SLACK_API_URL: z
    .string()
    .default("https://slack.com/api/")
    .transform(webAddress((url) => `${withoutSlash(url)}/`)),
  STORE_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,64}$/, "is not a prefix: use up to 64 letters, digits, dots, - and _, such as rackbell-test.")
    .default("rackbell"),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, "is not an address to listen on: use one such as 0.0.0.0 or 127.0.0.1.")
    .default("0.0.0.0"),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, "is not a port: use a number from 0 to 65535.")
    .default("3000")
    .transform(Number)
    .refine((port) => port <= 65_535, "is not a port: use a number from 0 to 65535."),
  PUBLIC_URL: z.string().transform(webAddress(withoutSlash)).optional(),
  PANEL_KEYS_URL: z
    .string()
    .transform(webAddress(({ href }) => href, { page: true }))
    .optional(),
  PANEL_SERVICE_URL: z
    .string()
    .transform(webAddress((_, text) => text, { page: true }))
    .refine((text) => text.includes("{id}"), "lacks {id}: put it in place of the service's id in the panel's address.")
    .optional(),
  APPROVALS: z.enum(["self", "peer"], { error: "is neither self nor peer: use one of the two." }).default("self"),
  PASSKEYS: z
    .enum(["off", "on", "required"], { error: "is neither off, on nor required: use one of the three." })
    .default("off"),
  SOCKET_CHECK: z.enum(["off", "on"], { error: "is neither off nor on: use one of the two." }).default("on"),
  AGENTS: z.enum(["off", "on"], { error: "is neither off nor on: use one of the two." }).default("off"),
  APPROVAL_TTL: z
    .string()
    .default("1h")
    .transform(lengthOfTime("minutes, hours or days, as in 45m, 1h or 2d.", "1m", "7d")),
  AUDIT_RETENTION: z
    .string()
    .default("365d")
    .transform(lengthOfTime("days, as in 365d.", "90d", "3650d")),
  LINK_MAX_AGE: z
    .string()
    .transform(lengthOfTime("days, as in 90d.", "1d", "3650d"))
    .optional(),
  AUDIT_URL: z
    .string()
    .transform(webAddress(({ href }) => href))
    .optional(),
  ADMINS: z
    .string()
    .default("")
    .transform((text, context) => {
      const ids = text.split(/[\s,]+/).filter((id) => id !== "");
      const faulty = ids.findIndex((id) => !/^[UW][A-Z0-9]{4,}$/.test(id));
      if (faulty === -1) return [...new Set(ids)];
      return fault(
        context,
        `has a wrong entry (number ${faulty + 1}): list Slack user ids, such as U012AB3CD, not names.`,
      );
    }),
  STOP_GRACE: z
    .string()
    .default("10s")
    .transform(lengthOfTime("seconds or minutes, as in 10s or 1m.", "1s", "10m")),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
      error: "is not a log level: use trace, debug, info, warn, error, fatal or silent.",
    })
    .default("info"),
});
type Variables = z.infer<typeof Environment>;

/** The variables of an environment, with the contents of the files that it names. Empty values count as missing. */
export function setVariables(env: Record<string, string | undefined>): SetVariables {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const text = value?.trim();
    if (text) values[name] = text;
  }
  const filed = secretVariables.filter((name) => fileVariable(name) in values);
  const refused = new Map<string, string>();
  for (const name of filed) {
    const read =
      name in values ? { problem: `and ${name} are both set: take one out.` } : readSecret(values[fileVariable(name)]);
    if ("problem" in read) refused.set(name, `${fileVariable(name)} ${read.problem}`);
    else values[name] = read.text;
  }
  return { values, filed: new Set(filed), refused };
}

/** The text of a file, without the line end that editors add; or the end of a sentence that says why there is none. */
function readSecret(path = ""): { text: string } | { problem: string } {
  try {
    const text = readFileSync(path, "utf8").trim();
    return text === "" ? { problem: "names an empty file: write the value into it." } : { text };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return { problem: `names a file that ${unreadable.get(code) ?? `cannot be read (${code}).`}` };
  }
}

/** Why a file cannot be read. The path is not repeated: somebody may have pasted the secret in its place. */
const unreadable = new Map([
  ["ENOENT", "is not there: set it to the file's path, not to the value."],
  ["EACCES", "Rackbell may not read: let its user read it."],
  ["EISDIR", "is a folder: name the file in it."],
]);

/** AUDIT_URL and AUDIT_SECRET need each other: a sentence if one of them is missing. */
function collectorFaults({ AUDIT_URL: url, AUDIT_SECRET: secret }: Record<string, string>): string[] {
  if (url && !secret)
    return [
      `AUDIT_SECRET is missing: Rackbell signs the entries for AUDIT_URL with it. Make one with ${newWebhookSecret}.`,
    ];
  if (secret && !url)
    return ["AUDIT_URL is missing: AUDIT_SECRET alone sends nothing. Set it, or take AUDIT_SECRET out."];
  return [];
}

/** True for https, and for http on this machine. */
function isSafeAddress(text: string | undefined): boolean {
  if (text === undefined || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || isLoopback(hostname);
}

function slackConfig(vars: Variables): SlackConfig {
  const common = { botToken: vars.SLACK_BOT_TOKEN, apiUrl: vars.SLACK_API_URL };
  if (vars.SLACK_APP_TOKEN) return { mode: "socket", ...common, appToken: vars.SLACK_APP_TOKEN };
  return { mode: "http", ...common, signingSecret: vars.SLACK_SIGNING_SECRET ?? "" };
}

function required(remedy: string) {
  return z.string({ error: `is missing. ${remedy}` });
}

function fault(context: z.core.$RefinementCtx<string>, message: string): never {
  context.addIssue(message);
  return z.NEVER;
}

/** Parses a length of time into milliseconds, between `least` and `most`. `use` names the accepted units in the error. */
function lengthOfTime(use: string, least: string, most: string) {
  return (text: string, context: z.core.$RefinementCtx<string>): number => {
    const ms = duration(text);
    if (ms === undefined) return fault(context, `is not a length of time: use ${use}`);
    if (ms < (duration(least) ?? 0) || ms > (duration(most) ?? 0))
      return fault(context, `is out of range: use between ${least} and ${most}.`);
    return ms;
  };
}

/** Parses a web address into the setting that `give` makes of it. */
/** `page`: a page that people open, which may have any parts. To the others Rackbell adds a path, which a ? or # part would swallow. */
function webAddress(give: (url: URL, text: string) => string, { page = false } = {}) {
  return (text: string, context: z.core.$RefinementCtx<string>): string => {
    const url = URL.parse(text);
    if (!url || !/^https?:$/.test(url.protocol))
      return fault(context, "is not a web address: it begins with https://.");
    if (url.username || url.password) return fault(context, "has a user name or password: take them out.");
    if (!page && (url.search || url.hash)) return fault(context, "has a ? or # part: take it out.");
    if (url.protocol === "http:" && !isLoopback(url.hostname))
      return fault(context, "is not encrypted: use https (http is for addresses on this machine only).");
    return give(url, text);
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}

function withoutSlash(url: URL): string {
  return (url.origin + url.pathname).replace(/(?<!\/)\/+$/, "");
}

function key(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, "base64");
  return undefined;
}

/** The bytes of a secret in the form of Standard Webhooks; undefined if it has another form, or another way to write the same bytes. */
function webhookSecret(text: string): Buffer | undefined {
  const [, encoded = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, "base64");
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString("base64") === encoded ? bytes : undefined;
}

const units = new Map([
  ["s", 1_000],
  ["m", 60_000],
  ["h", 60 * 60_000],
  ["d", 24 * 60 * 60_000],
]);

function duration(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,6}) ?([smhd])$/i.exec(text) ?? [];
  const ms = units.get(unit.toLowerCase());
  return ms && Number(count) * ms;
}
