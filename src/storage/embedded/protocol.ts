import { StorageError } from "../errors.ts";
/** What the process and the store's thread send each other: plain data, and as few messages as there are turns. */

/** The name of a method, and what it is called with. `Calls` has seen to it that they belong together. */
export type Call = [method: string, args: readonly unknown[]];

/** All that was asked in one turn of the event loop. */
export interface Request {
  id: number;
  reads: Call[];
  writes: Call[];
}

/** The results of a request's reads, or of its writes, in the order in which they were asked for. */
export interface Reply {
  id: number;
  of: "reads" | "writes";
  results: unknown[];
  /** Where there is no result. */
  failures: [at: number, failure: Failure][];
}

/** Asks the thread to finish, and to let go of the file. */
export type ToThread = Request | "close";
/** The file is open, or cannot be had; or what has been done. */
export type FromThread = "open" | { refused: Failure } | { replies: Reply[] };

/** A StorageError on its way. */
export interface Failure {
  message: string;
  cause: { name: string; message: string; stack: string | undefined; code: unknown; errcode: unknown } | undefined;
}

export function toFailure({ message, cause }: StorageError): Failure {
  if (!(cause instanceof Error)) return { message, cause: undefined };
  const { name, stack } = cause;
  const code = "code" in cause ? cause.code : undefined;
  const errcode = "errcode" in cause ? cause.errcode : undefined;
  return { message, cause: { name, message: cause.message, stack, code, errcode } };
}

export function fromFailure({ message, cause }: Failure): StorageError {
  if (cause === undefined) return new StorageError(message);
  return new StorageError(message, { cause: Object.assign(new Error(cause.message), cause) });
}
