import { endpointsOf } from "../../http/endpoint.ts";
import type { Query } from "../../http/path.ts";
import type { DeclaredRefusal } from "../../http/refusals.ts";
import { resellerApi } from "../client.ts";
import { notInThisState } from "../refusals.ts";

/** The spec shows no refusals of these routes: the platform's client game handler answers. Customer spec section 7, reseller spec section 4. */
const gameRefusals: readonly DeclaredRefusal[] = [
  ...notInThisState,
  {
    status: 403,
    says: /switched off|disabled|not enabled/i,
    means: "The platform's operator has switched game servers off.",
    spec: "7",
  },
  { status: 404, means: "The service has no game server, or the named item is not on it.", spec: "7" },
  {
    status: 409,
    says: /runtime|runs behind|stub/i,
    means: "Nothing runs behind the game server yet. Only the platform's operator can set that up.",
    spec: "7",
  },
  { status: 409, says: /exist|taken/i, means: "The item exists already.", spec: "4" },
  { status: 409, says: /lock/i, means: "The item is locked.", spec: "4" },
  { status: 409, says: /limit|maximum|too many/i, means: "It would be one too many.", spec: "4" },
  {
    status: 400,
    means: "Only the platform's game module knows the fields: ask the platform's operator for them.",
    spec: "4",
  },
];

/** Declares a route of a game server, with the refusals that all of them share. */
export const gameEndpoint = endpointsOf({ ...resellerApi, anyRoute: [...gameRefusals, ...resellerApi.anyRoute] });

/** A body whose fields the spec does not show. */
export type GameBody = Record<string, unknown>;

/** Of a route that takes such a body, or such a query. */
export const inGameBody = { sends: (body: GameBody) => ({ body }) };
export const byGameQuery = { sends: (query: Query) => ({ query }) };
