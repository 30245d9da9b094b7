import { randomUUID } from "node:crypto";
import { ErrorReply } from "@redis/client";
import type { Logger } from "pino";
import { sleep, systemClock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { Client } from "./client.ts";
import { escaped, type Names } from "./names.ts";
import { runScript } from "./script.ts";
import { closeFormer, endTakeover, keepTakeover } from "./scripts/takeover.ts";

const lockMs = 10_000;
const lookAgainMs = 200;
const atOnce = 500;

/** The keys of a store of format 1 after its prefix. Checked, since another deployment's prefix may begin with the same letters. */
const families = /^(value|mark|index|log|wakeup|runs|instance|lock|pace):|^(logs|uniques|lanes|instances|fence|ready)$/;

/** Runs `work` in one opening at a time. Others wait, and continue the work of a killed one. */
export async function oneAtATime<T>(client: Client, prefix: string, work: (keep: () => Promise<void>) => Promise<T>) {
  const me = randomUUID();
  const take = () => runScript(client, keepTakeover, prefix, [me, lockMs]);
  while ((await take()) === 0) await sleep(systemClock, lookAgainMs);
  try {
    return await work(async () => {
      if ((await take()) === 0)
        throw new StorageError("Another instance goes on with taking over the data. Start again.");
    });
  } finally {
    await runScript(client, endTakeover, prefix, [me]);
  }
}

/**
 * Takes over the data of an older version, once: stops that version from starting and renames every key. Returns the store's id, `fresh`
 * if there was no store. After a crash a second call continues. Throws StorageError while an older instance runs.
 */
export async function takeOver(
  client: Client,
  { prefix, former }: Names,
  at: { fresh: string; format: number; place: string; keep: () => Promise<void>; log: Logger },
): Promise<string> {
  const { fresh, format, place, keep, log } = at;
  const [found, store] = await runScript(client, closeFormer, former, [fresh, format]).catch((error: unknown) => {
    if (!(error instanceof ErrorReply && error.message.includes("NOPERM"))) throw error;
    throw new StorageError(
      `The Redis user in STORE_URL may not touch ${former}*, where an older version of Rackbell kept its data. Nothing was changed. Give it that right as well (~${former}*).`,
    );
  });
  if (found === "newer") throw newerWrote(Number(store), format);
  if (found === "in use") {
    throw new StorageError(
      `An older version of Rackbell is at work on the Redis at ${place}. Nothing was changed. Stop all its instances first; one that was killed counts for 5 seconds more.`,
    );
  }
  if (found === "nothing") return store;
  const renamed = await renameAll(client, { prefix, former }, keep);
  log.info({ prefix, keys: renamed }, "the data of an older version was taken over under its new names");
  return store;
}

export function newerWrote(kept: number, known: number): StorageError {
  return new StorageError(
    `A newer version of Rackbell (format ${kept}; this one knows up to ${known}) wrote what is in this Redis. Nothing was changed. Start the newer version, or set another STORE_PREFIX.`,
  );
}

async function renameAll(client: Client, { prefix, former }: Names, keep: () => Promise<void>): Promise<number> {
  let renamed = 0;
  for await (const found of client.scanIterator({ MATCH: `${escaped(former)}*`, COUNT: atOnce })) {
    await keep();
    const names = found.flatMap((key) => (families.test(key.slice(former.length)) ? [key.slice(former.length)] : []));
    await Promise.all(names.map((name) => client.rename(former + name, prefix + name).catch(goneSince)));
    renamed += names.length;
  }
  return renamed;
}

/** Ignores a key that expired after SCAN found it. */
function goneSince(error: unknown): void {
  if (!(error instanceof ErrorReply && error.message.includes("no such key"))) throw error;
}
