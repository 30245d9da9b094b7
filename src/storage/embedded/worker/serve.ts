import type { DatabaseSync } from "node:sqlite";
import { type Reply, toFailure } from "../protocol.ts";
import { commit, type Outcome } from "./commit.ts";
import { inWords } from "./failures.ts";
import { createMethods, type Reads, type Writes } from "./methods.ts";

/** A request as it arrives. Messages have no types; `Calls` ensures that method and arguments fit. */
export interface Request {
  id: number;
  reads: Call<Reads>[];
  writes: Call<Writes>[];
}

type Call<T extends Record<keyof T, (...args: never) => unknown>> = {
  [M in keyof T]: [method: M, args: Parameters<T[M]>];
}[keyof T];

/** Executes requests on the file. */
export interface Service {
  /** Reads what is on disk. */
  read(request: Request): Reply;
  /** Writes in one transaction, which is on disk when this returns. */
  write(requests: readonly Request[]): Reply[];
}

type Table<T extends Record<keyof T, (...args: never) => unknown>> = {
  [M in keyof T]: (...args: Parameters<T[M]>) => ReturnType<T[M]>;
};

export function createService(db: DatabaseSync): Service {
  const { reads, writes, recall } = createMethods(db);
  return {
    read: ({ id, reads: calls }) =>
      reply(
        id,
        "reads",
        calls.map(([method, args]) => attempt(() => read(reads, method, args))),
      ),
    write(requests) {
      const jobs = requests.flatMap((request) =>
        request.writes.map(
          ([method, args]) =>
            () =>
              write(writes, method, args),
        ),
      );
      const outcomes = commit(db, jobs, recall);
      let from = 0;
      return requests.map((request) => {
        const own = outcomes.slice(from, from + request.writes.length);
        from += own.length;
        return reply(request.id, "writes", own);
      });
    },
  };
}

function read<M extends keyof Reads>(reads: Table<Reads>, method: M, args: Parameters<Reads[M]>): unknown {
  return reads[method](...args);
}

function write<M extends keyof Writes>(writes: Table<Writes>, method: M, args: Parameters<Writes[M]>): unknown {
  return writes[method](...args);
}

function attempt(ask: () => unknown): Outcome {
  try {
    return { result: ask() };
  } catch (error) {
    return { error: inWords(error) };
  }
}

function reply(id: number, of: Reply["of"], outcomes: readonly Outcome[]): Reply {
  const failures: Reply["failures"] = [];
  const results = outcomes.map((outcome, at) => {
    if ("result" in outcome) return outcome.result;
    failures.push([at, toFailure(outcome.error)]);
    return undefined;
  });
  return { id, of, results, failures };
}
