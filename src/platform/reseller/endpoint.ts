import { endpointsOf } from "../http/endpoint.ts";
import { resellerApi } from "./client.ts";

/** Declares a route of the reseller API. The client signs each route that writes. */
export const endpoint = endpointsOf(resellerApi);
