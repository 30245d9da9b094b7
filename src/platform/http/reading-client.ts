import type * as z from "zod";
import type { Budget } from "./budget.ts";
import { type Download, type ReadRefusal, readDownload, readEnvelope } from "./envelope.ts";
import type { Path, Query } from "./path.ts";
import type { ReadObserver } from "./read-observer.ts";
import { type ApiRequest, pathOf, type Transport } from "./transport.ts";
import type { UnreadRow } from "./unread.ts";

/** The part of a client that both APIs have in common: its reads with one key. */
export interface ReadingClient {
  /** Reads, and parses the whole envelope with `schema`. Rejects with one of the four kinds of `errors.ts`. */
  get<T>(path: string | Path, schema: z.ZodType<T>, query?: Query): Promise<T>;
  /** Reads a document that is not JSON. */
  download(path: string | Path, query?: Query): Promise<Download>;
  /** The key's hourly rate limit in the latest answer; undefined where it is not known or that hour has passed. */
  budget(): Budget | undefined;
}

export interface ReadingOptions {
  /** Null sends no key; only the public documents can be read so. */
  key: string | null;
  /** `false` for calls that must not wait (typeahead) or that are paced elsewhere (background): a refused read is not retried. */
  patient?: boolean;
  skip?: (row: UnreadRow) => void;
  observer?: ReadObserver;
}

/** `request` makes the read of a path as one of the APIs wants it, and `refusal` reads that API's refusals. */
export function createReadingClient(
  transport: Transport,
  { key, patient = true, skip, observer }: ReadingOptions,
  { request, refusal }: { request: (path: Path, query: Query) => ApiRequest; refusal: ReadRefusal },
): ReadingClient {
  /** A route that ends in an id reads one resource, and none of its parts may be missing unnoticed. */
  function skipIn({ route }: Path): typeof skip {
    return route.endsWith("}") ? undefined : skip;
  }

  return {
    async get(path, schema, query = {}) {
      const known = pathOf(path);
      await observer?.before();
      const { value } = await transport.read(
        request(known, query),
        (response, call) =>
          readEnvelope(response, call, {
            schema,
            outsideEnvelope: known.outsideEnvelope,
            refusal,
            skip: skipIn(known),
          }),
        { patient },
      );
      observer?.after(known.route, value);
      return value;
    },
    async download(path, query = {}) {
      const read = request(pathOf(path), query);
      await observer?.before();
      return transport.read(
        { ...read, headers: { ...read.headers, accept: "*/*" } },
        (response, call) => readDownload(response, call, refusal),
        { patient },
      );
    },
    budget: () => (key === null ? undefined : transport.budget(key)),
  };
}
