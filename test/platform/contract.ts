import type { CustomerClient } from "../../src/platform/customer/client.ts";
import type { ApiName } from "../../src/platform/http/errors.ts";
import type { ResellerClient } from "../../src/platform/reseller/client.ts";
import type { Call, CallFacts } from "./calls.ts";
import { customerCalls } from "./customer/calls.ts";
import { secret } from "./reseller/call.ts";
import { resellerCalls } from "./reseller/calls/index.ts";
import { connect, json, makeResellerKey, type Reply, startServer } from "./server.ts";

interface Clients {
  customer: CustomerClient<string>;
  reseller: ResellerClient<string>;
}

/** One row of the contract: a call of an endpoint, the request that it must send, and one of the answers that it may get. */
export interface Row {
  api: ApiName;
  sends: string;
  facts: CallFacts;
  call(clients: Clients): Promise<unknown>;
}

function rowsOf<A extends ApiName>(api: A, calls: Call<Clients[A]>[]): Row[] {
  return calls.flatMap(([sends, call, ...facts]) =>
    (facts.length > 0 ? facts : [{}]).map((one) => ({ api, sends, facts: one, call: (clients) => call(clients[api]) })),
  );
}

/** Every call of both APIs with each of the answers that it may get. */
export const contract: Row[] = [...rowsOf("customer", customerCalls), ...rowsOf("reseller", resellerCalls)];

/** The data of a row's answer. */
export function dataOf({ facts: { answer, passes } }: Row): unknown {
  return answer === undefined ? passes : answer;
}

/** The answer of a row. */
export function replyOf(row: Row): Reply {
  const { reply, status = 200, beside = {} } = row.facts;
  return reply ?? ((response) => json(response, status, { success: true, data: dataOf(row), ...beside }));
}

/** The same with other data. */
export function replyWith({ facts: { status = 200, beside = {} } }: Row, data: unknown): Reply {
  return (response) => json(response, status, { success: true, data, ...beside });
}

/** Both clients of a platform that answers with the reply that was set last. */
export async function openBoth() {
  let current: Reply = () => {};
  const { url, seen } = await startServer((response, request) => current(response, request));
  const practice = connect(url);
  const clients: Clients = {
    customer: practice.client,
    reseller: practice.reseller({ key: makeResellerKey(), signingSecret: secret }),
  };
  const answer = (reply: Reply) => {
    current = reply;
  };
  /** The route of the latest request, as its API's spec writes it. */
  const lastRoute = () => {
    const { method, route } = practice.attempts.at(-1) ?? { method: "", route: "" };
    return `${method} ${route.replace("/reseller", "")}`;
  };
  return { answer, clients, seen, lastRoute };
}
