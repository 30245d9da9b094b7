import { ClientOfflineError, ErrorReply } from "@redis/client";
import { ownValue } from "../../process/own-value.ts";
import { StorageError } from "../errors.ts";

/** Sentences for refusals of Redis, by their first word. A refused call changes nothing. */
const refusals: Readonly<Record<string, string>> = {
  OOM: "Redis is full and takes nothing new. Give it more memory (maxmemory), or take out what else is kept in it.",
  NOAUTH: "Redis asks for a password. Put it into STORE_URL: redis://user:password@host.",
  WRONGPASS: "Redis refuses the user or the password in STORE_URL.",
  NOPERM: "The Redis user in STORE_URL lacks a right. Rackbell needs the keys under STORE_PREFIX, and its commands.",
  READONLY: "This Redis is a replica and takes no writes. STORE_URL must lead to the primary.",
  LOADING: "Redis is still reading its data from the disk.",
  MISCONF: "Redis takes no writes because it cannot save to its disk. Look at the disk and the log of Redis.",
  MOVED: "Redis moves the keys to another node of its Cluster.",
  ASK: "Redis moves the keys to another node of its Cluster.",
  TRYAGAIN: "Redis moves the keys to another node of its Cluster.",
  CLUSTERDOWN: "The Cluster of Redis is down: a slot has no node. Look at its nodes (CLUSTER INFO).",
  BUSY: "Redis is busy with a script and answers nobody.",
  WRONGTYPE: "Another program keeps its data under the same names in this Redis. Give each its own STORE_PREFIX.",
};

/** The store that was opened is gone: Redis was emptied, or has another store. */
export class StoreGone extends StorageError {
  override readonly name = "StoreGone";
}

/** A StorageError for a failed call that says if anything was changed. `writes` is false for calls that only read. */
export function explain(error: unknown, place: string, writes: boolean): StorageError {
  if (error instanceof StorageError) return error;
  const cause = { cause: error };
  if (error instanceof ErrorReply) return new StorageError(`${refusalWords(error)} Nothing was changed.`, cause);
  if (error instanceof ClientOfflineError || !writes) return notReached(place, cause);
  return new StorageError(`Redis at ${place} did not answer. It is not known whether this was kept.`, cause);
}

/** For a call that was never sent, or that changes nothing. */
export function notReached(place: string, options?: ErrorOptions): StorageError {
  return new StorageError(`Redis at ${place} does not answer. Nothing was changed.`, options);
}

/** The sentence for a refusal of Redis. */
export function refusalWords({ message }: ErrorReply): string {
  const [word = ""] = message.split(" ");
  if (message.includes("SELECT is not allowed in cluster mode"))
    return "A Cluster of Redis has one database. Leave its number out of STORE_URL.";
  return ownValue(refusals, word) ?? `Redis could not do what it was asked (${word}).`;
}
