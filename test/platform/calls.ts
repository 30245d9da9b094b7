import type { Reply } from "./server.ts";

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
