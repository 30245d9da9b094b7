import { expect } from "vitest";
import { json, type Reply, type Seen } from "./server.ts";

/** A call of an endpoint: the request that it must send, with its path and query below the base, and what may come of it. */
export type Call<Client> = [sends: string, call: (client: Client) => Promise<unknown>, ...facts: CallFacts[]];

export interface CallFacts {
  /** The body that must be sent. */
  body?: unknown;
  /** The status of the answer; 200 by default. */
  status?: number;
  /** `data` of the answer. */
  answer?: unknown;
  /** Fields beside `data`. */
  beside?: object;
  /** The whole answer, where it has no envelope. */
  reply?: Reply;
  /** The expected result. */
  gives?: unknown;
  /** In place of `answer` and `gives`: data that the endpoint gives as it came. */
  passes?: unknown;
}

type Single<Client> = [sends: string, call: (client: Client) => Promise<unknown>, facts: CallFacts];

/** Each call with each of the answers that it may get. */
export function singles<Client>(calls: Call<Client>[]): Single<Client>[] {
  return calls.flatMap(([sends, call, ...facts]) =>
    (facts.length > 0 ? facts : [{}]).map((one): Single<Client> => [sends, call, one]),
  );
}

/** The answer of a call. */
export function replyOf({ reply, status = 200, answer, passes, beside = {} }: CallFacts): Reply {
  const data = answer === undefined ? passes : answer;
  return reply ?? ((response) => json(response, status, { success: true, data, ...beside }));
}

/** Makes a call of `client` and expects its result, and one request below `base`; gives the request. */
export async function expectCall<Client>(
  [sends, call, { body, passes, gives }]: Single<Client>,
  { client, seen, base }: { client: Client; seen: readonly Seen[]; base: string },
): Promise<Seen | undefined> {
  expect(await call(client)).toEqual(gives === undefined ? passes : gives);
  expect(seen.map(({ method, url }) => `${method} ${url.replace(base, "")}`)).toEqual([sends]);
  const [request] = seen;
  expect(request?.body).toEqual(body);
  expect(request?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
  return request;
}
