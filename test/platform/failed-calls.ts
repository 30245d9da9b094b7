import { type HttpCall, PlatformError } from "../../src/platform/http/errors.ts";
import { contract, openBoth } from "./contract.ts";
import { json } from "./server.ts";

/** A call of an endpoint that the platform refused: with its route in the spec's form, and what its endpoint declares. */
export interface FailedCall extends HttpCall {
  route: string;
}

let made: Promise<FailedCall[]> | undefined;

/** One refused call of each route, through the real clients: what an error says of its route came all the way from its endpoint. */
export function failedCalls(): Promise<FailedCall[]> {
  made ??= makeCalls();
  return made;
}

async function makeCalls(): Promise<FailedCall[]> {
  const { answer, clients, lastRoute } = await openBoth();
  answer((response) => json(response, 400, { success: false, error: "No", code: "BAD_REQUEST" }));
  const failed = new Map<string, FailedCall>();
  for (const row of contract)
    await row.call(clients).catch((error: unknown) => {
      if (!(error instanceof PlatformError)) throw error;
      const { api, method, path, facts } = error;
      failed.set(`${api} ${lastRoute()}`, { api, method, path, facts, route: lastRoute() });
    });
  return [...failed.values()];
}
