import type { DatabaseSync } from "node:sqlite";
import { type ThreadReply, toFailure } from "../protocol.ts";
import { commit, type WriteOutcome } from "./commit.ts";
import { inWords } from "./failures.ts";
import { createMethods, type Reads, type Writes } from "./methods.ts";

/** A request as it arrives. Messages have no types; `Calls` ensures that method and arguments fit. */
export interface FileRequest {
  reads: Call<Reads>[];
  writes: Call<Writes>[];
}

type Call<T extends Record<keyof T, (...args: never) => unknown>> = {
  [M in keyof T]: [method: M, args: Parameters<T[M]>];
}[keyof T];

/** Executes requests on the file. */
export interface FileService {
  /** Reads what is on disk. */
  read(calls: FileRequest["reads"]): ThreadReply;
  /** Writes in one transaction, which is on disk when this returns. */
  write(calls: FileRequest["writes"]): ThreadReply;
}

type Table<T extends Record<keyof T, (...args: never) => unknown>> = {
  [M in keyof T]: (...args: Parameters<T[M]>) => ReturnType<T[M]>;
};

export function createService(db: DatabaseSync): FileService {
  const { reads, writes, recall } = createMethods(db);
  return {
    read: (calls) =>
      reply(
        "reads",
        calls.map(([method, args]) => attempt(() => read(reads, method, args))),
      ),
    write(calls) {
      const jobs = calls.map(
        ([method, args]) =>
          () =>
            write(writes, method, args),
      );
      return reply("writes", commit(db, jobs, recall));
    },
  };
}

function read<M extends keyof Reads>(reads: Table<Reads>, method: M, args: Parameters<Reads[M]>): unknown {
  return reads[method](...args);
}

function write<M extends keyof Writes>(writes: Table<Writes>, method: M, args: Parameters<Writes[M]>): unknown {
  return writes[method](...args);
}

function attempt(ask: () => unknown): WriteOutcome {
  try {
    return { result: ask() };
  } catch (error) {
    return { error: inWords(error) };
  }
}

function reply(of: ThreadReply["of"], outcomes: readonly WriteOutcome[]): ThreadReply {
  const failures: ThreadReply["failures"] = [];
  const results = outcomes.map((outcome, at) => {
    if ("result" in outcome) return outcome.result;
    failures.push([at, toFailure(outcome.error)]);
    return undefined;
  });
  return { of, results, failures };
}
