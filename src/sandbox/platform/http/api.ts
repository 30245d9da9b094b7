import { Refusal } from "./refusal.ts";
import type { ApiResponse } from "./response.ts";

/** A request off the wire. */
export interface ApiRequest {
  method: string;
  /** Below the API's own prefix; begins with a slash. */
  path: string;
  query: URLSearchParams;
  header(name: string): string | undefined;
  address: string;
  /** The bytes as they came: a signature covers these. */
  body: Buffer;
}

/** An API that the listener serves. Each has its own envelope, keys and checks. */
export interface Api {
  /** The start of its paths below /api/v1. Of several that fit a request, the longest takes it. */
  prefix: "" | `/${string}`;
  /** How many bytes a body may have at this path; 1 MB by default. */
  mostBytes?(path: string): number;
  respond(request: ApiRequest): ApiResponse;
  /** A refusal in this API's envelope. */
  refuse(refusal: Refusal): ApiResponse;
  /** For the log: the label of the key, and the project that the request names. */
  caller(request: ApiRequest): { key: string | null; project: string | null };
}

/** Answers a request. `answer` fills in the headers that a refusal bears, too. */
export function responding(
  answer: (request: ApiRequest, headers: Record<string, string>) => ApiResponse,
  refuse: Api["refuse"],
): Api["respond"] {
  function respond(request: ApiRequest, headers: Record<string, string>): ApiResponse {
    try {
      return answer(request, headers);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refuse(error);
    }
  }
  return (request) => {
    const headers = {};
    const response = respond(request, headers);
    return { ...response, headers: { ...response.headers, ...headers } };
  };
}
