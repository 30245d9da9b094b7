import { StorageError } from "../errors.ts";
/** The messages between the process and the store's thread: plain data. The thread answers the requests in their order. */

/** A method's name and arguments; `Calls` ensures that they fit. */
export type MethodCall = [method: string, args: readonly unknown[]];

/** The calls of one batch. */
export interface ThreadRequest {
  reads: MethodCall[];
  writes: MethodCall[];
}

/** The results of a request's reads or writes, in the order of the calls. */
export interface ThreadReply {
  of: "reads" | "writes";
  results: unknown[];
  /** The calls that failed, by their position. */
  failures: [at: number, failure: Failure][];
}

/** "close" makes the thread finish and close the file. */
export type ToThread = ThreadRequest | "close";
/** The file is open, it cannot be opened, or a reply to a request. */
export type FromThread = "open" | { refused: Failure } | ThreadReply;

/** A StorageError as plain data. */
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
