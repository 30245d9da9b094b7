import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConfigError, Environment, readConfig, readStoreConfig, secretVariables } from "../../src/app/config.ts";
import { ownFolder } from "../own-folder.ts";

const botToken = `xoxb-${randomBytes(12).toString("hex")}`;
const appToken = `xapp-1-${randomBytes(12).toString("hex")}`;
const signingSecret = randomBytes(16).toString("hex");
const encryptionKey = randomBytes(32);

/** A secret of Standard Webhooks with so many bytes. */
function auditSecret(bytes: number): string {
  return `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;
}

function environment(changes: Record<string, string | undefined> = {}): Record<string, string | undefined> {
  return {
    PLATFORM_URL: "https://panel.example.com/api/v1",
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appToken,
    ENCRYPTION_KEY: encryptionKey.toString("base64"),
    ...changes,
  };
}

function faultsOf(
  env: Record<string, string | undefined>,
  read: (given: typeof env) => unknown = readConfig,
): string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

test("agents need an address that keeps their tokens: https, or this machine", () => {
  for (const PUBLIC_URL of ["", "http://bell.example.com"])
    expect(faultsOf(environment({ AGENTS: "on", PUBLIC_URL })).join()).toContain("AGENTS needs PUBLIC_URL");
  for (const PUBLIC_URL of [
    "https://bell.example.com",
    "http://localhost:3000",
    "http://bell.localhost",
    "http://127.0.0.2",
    "http://[::1]:3000",
  ])
    expect(faultsOf(environment({ AGENTS: "on", PUBLIC_URL }))).toEqual([]);
});

test.each([undefined, "https://192.0.2.7", "https://[2001:db8::1]", "http://127.0.0.1:3000"])(
  "PASSKEYS=required at %s stops the start: no passkey works there, so nothing could be destroyed",
  (address) => {
    const more = address === undefined ? {} : { PUBLIC_URL: address };
    expect(faultsOf(environment({ PASSKEYS: "required", ...more })).join()).toContain("PASSKEYS is required");
    expect(faultsOf(environment({ PASSKEYS: "on", ...more }))).toEqual([]);
  },
);

test.each(["https://bell.example.com/hooks", "http://localhost:3000", "https://localhost"])(
  "PASSKEYS=required starts at %s",
  (address) => {
    expect(faultsOf(environment({ PASSKEYS: "required", PUBLIC_URL: address }))).toEqual([]);
  },
);

describe("a sound environment", () => {
  test("the four needed variables are enough, and the rest has the documented defaults", () => {
    expect(readConfig(environment())).toEqual({
      platformUrl: "https://panel.example.com/api/v1",
      slack: { mode: "socket", botToken, appToken, apiUrl: "https://slack.com/api/" },
      encryption: { key: encryptionKey },
      storeUrl: "sqlite:data/rackbell.db",
      storePrefix: "rackbell",
      host: "0.0.0.0",
      port: 3000,
      panel: {},
      socketCheck: true,
      passkeys: "off",
      agents: false,
      approvals: { mode: "self", ttl: 3_600_000 },
      audit: { retentionMs: 365 * 24 * 3_600_000 },
      admins: [],
      stopGraceMs: 10_000,
      logLevel: "info",
    });
  });

  test("without an app token Slack posts to the app, and the signing secret proves it", () => {
    const config = readConfig(environment({ SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: signingSecret }));
    expect(config.slack).toEqual({ mode: "http", botToken, signingSecret, apiUrl: "https://slack.com/api/" });
  });

  test("an app token wins over a signing secret", () => {
    expect(readConfig(environment({ SLACK_SIGNING_SECRET: signingSecret })).slack.mode).toBe("socket");
  });

  test("every variable is read", () => {
    const previous = randomBytes(32);
    const config = readConfig(
      environment({
        PLATFORM_URL: "http://127.0.0.1:8080/api/v1/",
        SLACK_API_URL: "http://localhost:8081/api",
        ENCRYPTION_KEY: encryptionKey.toString("hex"),
        ENCRYPTION_KEY_PREVIOUS: previous.toString("base64url"),
        STORE_URL: "rediss://cache.internal:6380/2",
        STORE_PREFIX: "bell-2",
        HOST: "::1",
        PORT: "0",
        PUBLIC_URL: "https://bell.example.com/hooks/",
        PANEL_KEYS_URL: "https://panel.example.com/keys",
        PANEL_SERVICE_URL: "https://panel.example.com/services/{id}",
        APPROVALS: "peer",
        APPROVAL_TTL: "2d",
        LINK_MAX_AGE: "90d",
        SOCKET_CHECK: "off",
        PASSKEYS: "required",
        AGENTS: "on",
        AUDIT_RETENTION: "180d",
        AUDIT_URL: "https://siem.example.com/ingest",
        AUDIT_SECRET: auditSecret(32),
        ADMINS: "U012AB3CD, W999ZZ9ZZ\nU012AB3CD",
        STOP_GRACE: "25s",
        METRICS_TOKEN: "scrape-me",
        LOG_LEVEL: "debug",
      }),
    );
    expect(config).toEqual({
      platformUrl: "http://127.0.0.1:8080/api/v1",
      slack: { mode: "socket", botToken, appToken, apiUrl: "http://localhost:8081/api/" },
      encryption: { key: encryptionKey, previous },
      storeUrl: "rediss://cache.internal:6380/2",
      storePrefix: "bell-2",
      host: "::1",
      port: 0,
      publicUrl: "https://bell.example.com/hooks",
      panel: {
        keysUrl: "https://panel.example.com/keys",
        serviceUrl: "https://panel.example.com/services/{id}",
      },
      socketCheck: false,
      passkeys: "required",
      agents: true,
      approvals: { mode: "peer", ttl: 172_800_000 },
      linkMaxAgeMs: 90 * 24 * 3_600_000,
      audit: {
        retentionMs: 180 * 24 * 3_600_000,
        collector: { url: "https://siem.example.com/ingest", secret: Buffer.alloc(32, 7) },
      },
      admins: ["U012AB3CD", "W999ZZ9ZZ"],
      stopGraceMs: 25_000,
      metricsToken: "scrape-me",
      logLevel: "debug",
    });
  });

  test("a value pasted with blanks round it is the same value", () => {
    expect(readConfig(environment({ SLACK_BOT_TOKEN: ` ${botToken}\n` })).slack.botToken).toBe(botToken);
  });

  test.each([
    ["45m", 45 * 60_000],
    ["1h", 3_600_000],
    ["1m", 60_000],
    ["7d", 7 * 86_400_000],
    ["90 M", 90 * 60_000],
  ])("an approval may wait %s", (text, ms) => {
    expect(readConfig(environment({ APPROVAL_TTL: text })).approvals.ttl).toBe(ms);
  });
});

/** A sound value of each variable that may be in a file. */
const secretValues: Record<string, string> = {
  SLACK_BOT_TOKEN: botToken,
  SLACK_APP_TOKEN: appToken,
  SLACK_SIGNING_SECRET: signingSecret,
  ENCRYPTION_KEY: encryptionKey.toString("hex"),
  ENCRYPTION_KEY_PREVIOUS: randomBytes(32).toString("base64"),
  STORE_URL: "redis://:let-me-in@127.0.0.1:6379/0",
  AUDIT_SECRET: auditSecret(32),
  METRICS_TOKEN: "scrape-me",
};

test("each variable whose name speaks of a secret can be in a file", () => {
  const page = readFileSync("src/guide/variables.md", "utf8");
  const names = [...page.matchAll(/`([A-Z_]+)`/g)].map(([, name = ""]) => name);
  const secret = [...new Set(names)].filter((name) => /SECRET|TOKEN|(?<!PANEL_|PASS)KEY/.test(name));
  expect(secret.length).toBeGreaterThan(5);
  expect(secret.filter((name) => !secretVariables.includes(name))).toEqual([]);
});

test("each variable that is read has a row in the guide, and each row there is a variable that is read", () => {
  const rows = readFileSync("src/guide/variables.md", "utf8").matchAll(/^\| (`[^|]*) \|/gm);
  const named = [...rows].flatMap(([, cell = ""]) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = ""]) => name));
  expect(named.toSorted()).toEqual(Object.keys(Environment.shape).toSorted());
});

describe.each(secretVariables)("%s in a file", (name) => {
  const value = secretValues[name] ?? "";

  /** An environment whose secrets are all in variables but this one. AUDIT_SECRET needs its address. */
  function filedEnvironment(content: string): Record<string, string | undefined> {
    const file = join(ownFolder(), "secret");
    writeFileSync(file, content);
    const collector = { AUDIT_URL: "https://siem.example.com/ingest", AUDIT_SECRET: secretValues.AUDIT_SECRET };
    return environment({ ...collector, [name]: undefined, [`${name}_FILE`]: file });
  }

  test("is read as the variable itself would be, without the line's end", () => {
    const written = { ...filedEnvironment(""), [`${name}_FILE`]: undefined, [name]: value };
    expect(readConfig(filedEnvironment(`${value}\n`))).toEqual(readConfig(written));
  });

  test("and in the variable stops the start, and so do a missing, an empty and a forbidden file, with one sentence each", () => {
    const file = `${name}_FILE`;
    expect(faultsOf({ ...filedEnvironment(value), [name]: value })).toEqual([
      `${file} and ${name} are both set: take one out.`,
    ]);
    expect(faultsOf({ ...filedEnvironment(value), [name]: "" })).toEqual([]);
    expect(faultsOf(filedEnvironment(" \n"))).toEqual([`${file} names an empty file: write the value into it.`]);
    const folder = ownFolder();
    mkdirSync(join(folder, "a"));
    expect(faultsOf({ ...filedEnvironment(""), [file]: join(folder, "a") })).toEqual([
      `${file} names a file that is a folder: name the file in it.`,
    ]);
    expect(faultsOf({ ...filedEnvironment(""), [file]: value })).toEqual([
      `${file} names a file that is not there: set it to the file's path, not to the value.`,
    ]);
    expect(faultsOf({ ...filedEnvironment(""), [file]: "x".repeat(400) })).toEqual([
      `${file} names a file that cannot be read (ENAMETOOLONG).`,
    ]);
  });

  test("that cannot be used is a fault of the variable, which names the file's variable and no content", () => {
    const faults = faultsOf(filedEnvironment("~~ not one ~~"));
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name}, from ${name}_FILE, (is|cannot) .*[:.]`))]);
    expect(faults.join()).not.toContain("not one");
  });
});

test("a tool of the store reads its two variables alone, in a file or not", () => {
  const file = join(ownFolder(), "store-url");
  writeFileSync(file, "rediss://:let-me-in@cache.internal:6380/2\n");
  expect(readStoreConfig({})).toEqual({ url: "sqlite:data/rackbell.db", prefix: "rackbell" });
  expect(readStoreConfig({ STORE_URL_FILE: file, STORE_PREFIX: "bell-2", ENCRYPTION_KEY: "wrong" })).toEqual({
    url: "rediss://:let-me-in@cache.internal:6380/2",
    prefix: "bell-2",
  });
  expect(faultsOf({ STORE_URL_FILE: file, STORE_URL: "sqlite:a.db" }, readStoreConfig)).toEqual([
    "STORE_URL_FILE and STORE_URL are both set: take one out.",
  ]);
  expect(faultsOf({ STORE_URL: "postgres://db", STORE_PREFIX: "a b" }, readStoreConfig)).toEqual([
    expect.stringContaining("STORE_URL is not a store"),
    expect.stringContaining("STORE_PREFIX is not a prefix"),
  ]);
});

describe("a wrong environment", () => {
  test("an empty one names everything that is needed, in one message", () => {
    const faults = faultsOf({});
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual([
      "PLATFORM_URL",
      "SLACK_BOT_TOKEN",
      "ENCRYPTION_KEY",
      "SLACK_APP_TOKEN",
    ]);
    expect(() => readConfig({})).toThrow(
      expect.objectContaining({ message: expect.stringContaining(faults.join("\n- ")) }),
    );
  });

  test("empty and blank values count as missing", () => {
    expect(faultsOf(environment({ ENCRYPTION_KEY: "", SLACK_APP_TOKEN: "  " }))).toEqual([
      expect.stringMatching(/^ENCRYPTION_KEY is missing/),
      expect.stringMatching(/^SLACK_APP_TOKEN is missing, and so is SLACK_SIGNING_SECRET/),
    ]);
    expect(faultsOf(environment({ PORT: "", ADMINS: " ", PUBLIC_URL: "" }))).toEqual([]);
  });

  test("a page of the panel may have a ? or # part in its address", () => {
    for (const page of ["https://panel.example.com/#/services/{id}", "https://panel.example.com/service?id={id}"]) {
      const { panel } = readConfig(environment({ PANEL_SERVICE_URL: page }));
      expect(panel.serviceUrl).toBe(page);
    }
    expect(readConfig(environment({ PANEL_KEYS_URL: "https://panel.example.com/#/keys" })).panel.keysUrl).toBe(
      "https://panel.example.com/#/keys",
    );
  });

  test.each([
    ["PLATFORM_URL", "panel.example.com/api/v1", "is not a web address"],
    ["PLATFORM_URL", "ftp://panel.example.com/api/v1", "is not a web address"],
    ["PLATFORM_URL", "http://panel.example.com/api/v1", "is not encrypted"],
    ["PLATFORM_URL", "http://127.0.0.1.example.com/api/v1", "is not encrypted"],
    ["PLATFORM_URL", "https://panel.example.com/", "does not end in /api/v1"],
    ["PLATFORM_URL", "https://panel.example.com/api/v1?x=1", "has a ? or # part"],
    ["PLATFORM_URL", "https://me:pw@panel.example.com/api/v1", "has a user name or password"],
    ["SLACK_BOT_TOKEN", appToken, "is not a bot token"],
    ["SLACK_APP_TOKEN", botToken, "is not an app-level token"],
    ["SLACK_SIGNING_SECRET", botToken, "is not a signing secret"],
    ["SLACK_API_URL", "http://slack.example.com/api/", "is not encrypted"],
    ["ENCRYPTION_KEY", randomBytes(31).toString("base64"), "is not 32 bytes"],
    ["ENCRYPTION_KEY", randomBytes(33).toString("hex"), "is not 32 bytes"],
    ["ENCRYPTION_KEY_PREVIOUS", "old", "is not 32 bytes"],
    ["STORE_URL", "postgres://db", "is not a store"],
    ["STORE_URL", "sqlite:", "is not a store"],
    ["HOST", "0.0.0.0/0", "is not an address to listen on"],
    ["PORT", "65536", "is not a port"],
    ["PORT", "-1", "is not a port"],
    ["PORT", "3000.5", "is not a port"],
    ["PUBLIC_URL", "bell.example.com", "is not a web address"],
    ["PANEL_KEYS_URL", "keys", "is not a web address"],
    ["PANEL_SERVICE_URL", "https://panel.example.com/services", "lacks {id}"],
    ["APPROVALS", "both", "is neither self nor peer"],
    ["APPROVAL_TTL", "soon", "is not a length of time"],
    ["APPROVAL_TTL", "0m", "is out of range"],
    ["APPROVAL_TTL", "8d", "is out of range"],
    ["SOCKET_CHECK", "no", "is neither off nor on"],
    ["AGENTS", "yes", "is neither off nor on"],
    ["PASSKEYS", "yes", "is neither off, on nor required"],
    ["AUDIT_RETENTION", "a year", "is not a length of time"],
    ["AUDIT_RETENTION", "89d", "is out of range"],
    ["LINK_MAX_AGE", "never", "is not a length of time"],
    ["LINK_MAX_AGE", "12h", "is out of range"],
    ["AUDIT_URL", "http://siem.example.com/ingest", "is not encrypted"],
    ["AUDIT_SECRET", "a short one", "is not whsec_ with 24 to 64 bytes in base64"],
    ["AUDIT_SECRET", auditSecret(32).slice("whsec_".length), "is not whsec_ with"],
    ["AUDIT_SECRET", auditSecret(23), "is not whsec_ with"],
    ["AUDIT_SECRET", auditSecret(65), "is not whsec_ with"],
    ["AUDIT_SECRET", auditSecret(32).replace("=", ""), "is not whsec_ with"],
    ["AUDIT_SECRET", auditSecret(32).replace("whsec_", "whsk_"), "is not whsec_ with"],
    ["STOP_GRACE", "at once", "is not a length of time"],
    ["STOP_GRACE", "0s", "is out of range"],
    ["STOP_GRACE", "1h", "is out of range"],
    ["ADMINS", "U012AB3CD,@ana", "has a wrong entry (number 2)"],
    ["METRICS_TOKEN", "two words", "cannot be sent in a header"],
    ["LOG_LEVEL", "loud", "is not a log level"],
  ])("%s that cannot be used is one fault that says what to do", (name, value, what) => {
    const faults = faultsOf(environment({ [name]: value }));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`${name} ${what}`);
    expect(faults[0]).toMatch(/: \w+|\. \w+/);
  });

  test("all faults come together, the missing way into Slack as well", () => {
    const faults = faultsOf({ PLATFORM_URL: "http://x.example", PORT: "x", LOG_LEVEL: "x", APPROVALS: "x" });
    for (const name of [
      "PLATFORM_URL",
      "SLACK_BOT_TOKEN",
      "ENCRYPTION_KEY",
      "PORT",
      "LOG_LEVEL",
      "APPROVALS",
      "SLACK_APP_TOKEN",
    ]) {
      expect(faults.filter((fault) => fault.startsWith(`${name} `))).toHaveLength(1);
    }
    expect(faults).toHaveLength(7);
  });

  test("without the collector's address, or without the secret to sign for it, names the missing one", () => {
    expect(faultsOf(environment({ AUDIT_URL: "https://siem.example.com" }))).toEqual([
      expect.stringContaining("AUDIT_SECRET is missing"),
    ]);
    expect(faultsOf(environment({ AUDIT_SECRET: auditSecret(32) }))).toEqual([
      expect.stringContaining("AUDIT_URL is missing"),
    ]);
  });

  test("no message ever repeats a value, whatever was pasted where", () => {
    const names = Object.keys(environment());
    const optional = [
      "SLACK_SIGNING_SECRET",
      "STORE_URL",
      "PORT",
      "ADMINS",
      "AUDIT_URL",
      "AUDIT_SECRET",
      "APPROVALS",
      "APPROVAL_TTL",
      "STOP_GRACE",
      "METRICS_TOKEN",
      "LOG_LEVEL",
      ...secretVariables.map((name) => `${name}_FILE`),
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...names, ...optional),
        fc.stringMatching(/^[!-~]{3} ?[!-~]{12,40}$/),
        (name, value) => {
          const unlikely = `~~${value}`;
          expect(faultsOf(environment({ [name]: unlikely })).join("\n")).not.toContain(unlikely);
        },
      ),
    );
  });
});
