import { ClientOfflineError, ErrorReply } from "@redis/client";
import { StorageError } from "../errors.ts";

/** What Redis says no with, by the first word of its refusal. None of them changes anything. */
const refusals: Readonly<Record<string, string>> = {
  OOM: "Redis is full and takes nothing new. Give it more memory (maxmemory), or take out what else is kept in it.",
  NOAUTH: "Redis asks for a password. Put it into STORE_URL: redis://user:password@host.",
  WRONGPASS: "Redis refuses the user or the password in STORE_URL.",
  NOPERM: "The Redis user in STORE_URL lacks a right. Rackbell needs the keys under STORE_PREFIX, and its commands.",
  READONLY: "This Redis is a replica and takes no writes. STORE_URL must lead to the primary.",
  LOADING: "Redis is still reading its data from the disk.",
  MISCONF: "Redis takes no writes because it cannot save to its disk. Look at the disk and the log of Redis.",
  MOVED: "This Redis is a Cluster, which Rackbell cannot use. Use one Redis, with a replica if you like.",
  CLUSTERDOWN: "This Redis is a Cluster, which Rackbell cannot use. Use one Redis, with a replica if you like.",
  BUSY: "Redis is busy with a script and answers nobody.",
  WRONGTYPE: "Another program keeps its data under the same names in this Redis. Give each its own STORE_PREFIX.",
};

/** Another store than the one that was opened: everything in it is somebody else's, or gone. */
export class StoreGone extends StorageError {
  override readonly name = "StoreGone";
}

/** What went wrong in a call, as a sentence that also says whether it changed anything; `writes` unless it only read. */
export function explain(error: unknown, place: string, writes: boolean): StorageError {
  if (error instanceof StorageError) return error;
  const cause = { cause: error };
  if (error instanceof ErrorReply) return new StorageError(`${refusalOf(error)} Nothing was changed.`, cause);
  if (error instanceof ClientOfflineError || !writes) return unreachable(place, cause);
  return new StorageError(`Redis at ${place} did not answer. It is not known whether this was kept.`, cause);
}

/** For what was never sent, or changes nothing. */
export function unreachable(place: string, options?: ErrorOptions): StorageError {
  return new StorageError(`Redis at ${place} does not answer. Nothing was changed.`, options);
}

/** The sentence for a refusal of Redis. */
export function refusalOf({ message }: ErrorReply): string {
  const [word = ""] = message.split(" ");
  return refusals[word] ?? `Redis could not do what it was asked (${word}).`;
}
