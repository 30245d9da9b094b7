import { access, constants, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Logger } from "pino";
import { connectionProblem } from "../../alerts/slack-connections.ts";
import type { Clock } from "../../process/clock.ts";
import { StorageError } from "../../storage/errors.ts";
import { openStore } from "../../storage/open.ts";
import { createSeal, openProof } from "../../storage/seal.ts";
import { isInUse } from "../../storage/sqlite/failures.ts";
import type { Store } from "../../storage/store.ts";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { type Finding, openOutside } from "./outside.ts";

/**
 * Checks the variables, and if they are complete Slack, the platform, the store and the clock. A problem becomes a finding, not an error.
 */
export async function diagnose(
  env: Record<string, string | undefined>,
  tools: { clock: Clock; log: Logger },
): Promise<Finding[]> {
  const config = configOf(env);
  if (config instanceof ConfigError) {
    return config.faults.map((says) => ({ about: "variables", fine: false, says }));
  }
  const store = await checkStore(config, tools);
  return [
    { about: "variables", fine: true, says: "all required variables are set" },
    ...(await overNetwork(config, tools)),
    ...store,
  ];
}

/** The findings as lines of text, with the sum at the end. */
export function findingLines(findings: Finding[]): string {
  const wrong = findings.filter(({ fine }) => !fine).length;
  const good = findings.some(({ warns }) => warns)
    ? "Nothing stops a start (`npm start`). Read the warnings first: data may be lost."
    : "Nothing needs mending. `npm start` starts it.";
  const sum = wrong === 1 ? "One problem needs mending." : `${wrong} problems need mending.`;
  return [
    ...findings.map(
      ({ about, fine, warns, says }) =>
        `${fine ? (warns ? "WARN " : "ok   ") : "MEND "} ${`${about}:`.padEnd(11)}${says}`,
    ),
    "",
    wrong === 0 ? good : sum,
  ].join("\n");
}

function configOf(env: Record<string, string | undefined>): Config | ConfigError {
  try {
    return readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

async function overNetwork({ slack, platformUrl }: Config, tools: { clock: Clock; log: Logger }): Promise<Finding[]> {
  const outside = openOutside(tools);
  try {
    const found = await Promise.all([
      outside.checkInstallation(slack),
      outside.checkConnection(slack),
      outside.checkPlatform(platformUrl),
    ]);
    return [...found.flat(), ...outside.checkClock()];
  } finally {
    await outside.close();
  }
}

/**
 * Checks that the store opens and that the encryption key fits it, and the connections that Slack counted. Changes no record, and does not
 * create a missing file.
 */
async function checkStore(config: Config, tools: { clock: Clock; log: Logger }): Promise<Finding[]> {
  const counted: string[] = [];
  const found = await openAndRead(config, tools, async (store) => {
    const problem = config.slack.mode === "socket" ? await connectionProblem({ store }, { stopped: true }) : null;
    if (problem !== null) counted.push(problem);
  });
  return [...counted.map((says): Finding => ({ about: "Slack", fine: false, says })), ...found];
}

async function openAndRead(
  config: Config,
  { clock, log }: { clock: Clock; log: Logger },
  read: (store: Store) => Promise<void>,
): Promise<Finding[]> {
  const path = /^sqlite:(.+)$/s.exec(config.storeUrl)?.[1];
  if (path !== undefined && path !== ":memory:" && !(await may(path, constants.F_OK))) return [await checkFolder(path)];
  try {
    const store = await openStore({ url: config.storeUrl, clock, log, prefix: config.storePrefix });
    try {
      await openProof(store, createSeal(config.encryption));
      await read(store);
    } finally {
      await store.close();
    }
    return [
      ...store.weaknesses().map((says): Finding => ({ about: "store", fine: true, warns: true, says })),
      { about: "store", fine: true, says: "opens, and the encryption key fits it" },
    ];
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (isInUse(error))
      return [{ about: "store", fine: true, says: "in use by a running Rackbell, so it was not opened" }];
    return [{ about: "store", fine: false, says: error.message }];
  }
}

/** For a missing file: checks the nearest existing folder, since the first start also creates missing folders. */
async function checkFolder(path: string): Promise<Finding> {
  let folder = dirname(resolve(path));
  while (!(await may(folder, constants.F_OK)) && folder !== dirname(folder)) folder = dirname(folder);
  if ((await stat(folder)).isDirectory() && (await may(folder, constants.W_OK))) {
    return { about: "store", fine: true, says: `${path} does not exist yet; the first start creates it` };
  }
  const says = `STORE_URL: ${path} does not exist, and Rackbell cannot create it in ${folder}. Let Rackbell's user write there, or name another place.`;
  return { about: "store", fine: false, says };
}

function may(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
