import type { Reads, Writes } from "./worker/methods.ts";

/** Calls the store's thread by method name. */
export interface Calls {
  /** Reads what is on disk. */
  read<M extends keyof Reads>(method: M, ...args: Parameters<Reads[M]>): Promise<ReturnType<Reads[M]>>;
  /** Resolves once it is on disk. Writes run in the order of the calls. */
  write<M extends keyof Writes>(method: M, ...args: Parameters<Writes[M]>): Promise<ReturnType<Writes[M]>>;
  /** As `write`, for writes that nobody waits for: it joins the next commit, or gets one a moment later. */
  later<M extends keyof Writes>(method: M, ...args: Parameters<Writes[M]>): Promise<ReturnType<Writes[M]>>;
}
