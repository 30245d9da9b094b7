import { endpointsOf } from "../http/endpoint.ts";
import { customerApi } from "./client.ts";

/** Declares a route of the customer API. An operation names the result as its act, or as one of its reads. */
export const endpoint = endpointsOf(customerApi);
