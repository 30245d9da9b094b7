import type { Reads, Writes } from "./worker/methods.ts";

/** Asks the file by method name. */
export interface Calls {
  /** Answers from what is on disk. */
  read<M extends keyof Reads>(method: M, ...args: Parameters<Reads[M]>): Promise<ReturnType<Reads[M]>>;
  /** Resolves once it is on disk. Writes happen in the order in which they were asked for. */
  write<M extends keyof Writes>(method: M, ...args: Parameters<Writes[M]>): Promise<ReturnType<Writes[M]>>;
  /** As `write`, for what nobody waits for: it shares the next commit that somebody does, or one of its own a moment later. */
  later<M extends keyof Writes>(method: M, ...args: Parameters<Writes[M]>): Promise<ReturnType<Writes[M]>>;
}
