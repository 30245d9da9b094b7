import { type HttpCall, PlatformError } from "../../src/platform/http/errors.ts";
import { customerCalls } from "./customer/calls.ts";
import { open } from "./reseller/call.ts";
import { resellerCalls } from "./reseller/calls/index.ts";
import { connect, json, startServer } from "./server.ts";

/** A call of an endpoint that the platform refused: with its route in the spec's form, and what its endpoint declares. */
export interface FailedCall extends HttpCall {
  route: string;
}

const refusal = { success: false, error: "No", code: "BAD_REQUEST" };

let made: Promise<FailedCall[]> | undefined;

/** One refused call of each route, through the real clients: what an error says of its route came all the way from its endpoint. */
export function failedCalls(): Promise<FailedCall[]> {
  made ??= makeCalls();
  return made;
}

async function makeCalls(): Promise<FailedCall[]> {
  const { url } = await startServer((response) => json(response, 400, refusal));
  const customer = connect(url);
  const { client: reseller, practice } = await open((response) => json(response, 400, refusal));
  const failed = new Map<string, FailedCall>();
  const note = (error: unknown, route: string | undefined) => {
    if (!(error instanceof PlatformError)) throw error;
    const { api, method, path, facts } = error;
    failed.set(`${api} ${method} ${route}`, { api, method, path, facts, route: `${method} ${route}` });
  };
  for (const [, call] of customerCalls)
    await call(customer.client).catch((error) => note(error, customer.attempts.at(-1)?.route));
  for (const [, call] of resellerCalls)
    await call(reseller).catch((error) => note(error, practice.attempts.at(-1)?.route.replace("/reseller", "")));
  return [...failed.values()];
}
