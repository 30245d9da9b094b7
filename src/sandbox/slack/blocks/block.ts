import type { Json } from "../wire/json.ts";

/** A block as Slack stores it: with its block_id, given or made up. Its other fields are as posted. */
export interface Block extends Json {
  type: string;
  block_id: string;
}

/** The state of the elements of a message or view: by block_id, then by action_id. */
export interface ViewState extends Json {
  values: Record<string, Record<string, Json>>;
}
