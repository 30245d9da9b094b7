import type { Json } from "../wire/json.ts";

/** One payload on its way to the app. */
export interface Envelope {
  type: "slash_commands" | "interactive" | "events_api";
  payload: Json;
  retry?: { attempt: number; reason: string };
}

/** `listening`: a dead or deaf connection swallowed it, while so many others would have brought it to the app. */
export type DeliveryResult =
  | { acked: true; answer: Json | undefined }
  | {
      acked: false;
      error: "operation_timeout" | "dispatch_failed";
      reason: string;
      noRetry?: boolean;
      listening?: number;
    };
