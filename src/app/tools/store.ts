import { resolve } from "node:path";
import { systemClock } from "../../process/clock.ts";
import { createLog } from "../../process/log.ts";
import { ownValue } from "../../process/own-value.ts";
import { copyStore, type Inventory, openPortable, takeInventory } from "../../storage/copy.ts";
import type { Portable } from "../../storage/engine.ts";
import { StorageError } from "../../storage/errors.ts";
import { backUpFile, restoreFile } from "../../storage/sqlite/files.ts";
import { ConfigError, readStoreConfig } from "../config.ts";
import { takeEnvFile } from "../installation.js";

const usage = `npm run store -- copy FROM TO     FROM and TO as in STORE_URL; Rackbell is stopped, and TO is empty
npm run store -- backup FILE      a copy of the SQLite store in STORE_URL, while Rackbell runs or not
npm run store -- restore FILE     puts a backup in its place; Rackbell is stopped
npm run store -- check [STORE]    reads everything and counts it; Rackbell is stopped`;

takeEnvFile();
const log = createLog({ level: "warn" });

/** The store of the app itself, by the variables that the app reads. Throws StorageError for one that the app would refuse. */
function own(): { url: string; prefix: string } {
  try {
    return readStoreConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) throw new StorageError(error.faults.join("\n"));
    throw error;
  }
}

async function use<T>(url: string, to: "read" | "fill", work: (store: Portable) => Promise<T>): Promise<T> {
  const store = await openPortable({ url, to, prefix: own().prefix, log });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The absolute path of the SQLite file in STORE_URL. Throws StorageError for a Redis. */
function ownFile(): string {
  const path = /^sqlite:(.+)$/is.exec(own().url)?.[1];
  if (path) return resolve(path);
  throw new StorageError(
    "STORE_URL names no SQLite file. A Redis is backed up by its own means: its append-only file and snapshots.",
  );
}

async function copy([from, to]: string[]): Promise<string> {
  if (!from || !to) throw new StorageError(usage);
  const copied = await use(from, "read", (source) =>
    use(to, "fill", (target) => copyStore(source, target, systemClock.now())),
  );
  return `Copied and read back: ${countsText(copied)}. Set STORE_URL to the copy, and keep ENCRYPTION_KEY as it is.\n`;
}

async function backup([file]: string[]): Promise<string> {
  if (!file) throw new StorageError(usage);
  const [path, target] = [ownFile(), resolve(file)];
  backUpFile(path, target);
  return `Backed up to ${target}. It opens only with the same ENCRYPTION_KEY. Keep the key in another place.\n`;
}

async function restore([file]: string[]): Promise<string> {
  if (!file) throw new StorageError(usage);
  const path = ownFile();
  const before = restoreFile(resolve(file), path, systemClock.now());
  return `Restored to ${path}.${before ? ` The former store is kept as ${before}.` : ""}\n`;
}

async function check([url = own().url]: string[]): Promise<string> {
  return `Everything can be read: ${countsText(await use(url, "read", (store) => takeInventory(store, systemClock.now())))}.\n`;
}

function countsText({ counts }: Inventory): string {
  const words = Object.entries(counts).map(([kind, count]) => `${kind} ${count}`);
  return words.join(", ") || "no records";
}

const jobs: Record<string, (args: string[]) => Promise<string>> = { copy, backup, restore, check };

try {
  const [verb = "", ...args] = process.argv.slice(2);
  const job = ownValue(jobs, verb);
  if (!job) throw new StorageError(usage);
  process.stdout.write(await job(args));
} catch (error) {
  if (!(error instanceof StorageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
