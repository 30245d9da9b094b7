import type { Json } from "../json.ts";

/** One payload on its way to the app. */
export interface Parcel {
  type: "slash_commands" | "interactive" | "events_api";
  payload: Json;
  retry?: { attempt: number; reason: string };
}

export type Receipt =
  | { acked: true; answer: Json | undefined }
  | { acked: false; error: "operation_timeout" | "dispatch_failed"; reason: string; noRetry?: boolean };
