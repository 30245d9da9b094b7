import type { PlainText } from "../process/plain-text.ts";

/** A Slack user, as Slack describes them now. */
export interface SlackUser {
  id: string;
  name: PlainText;
  /** An admin or owner of the workspace. */
  admin: boolean;
  /** A guest, or a user of another organisation: neither may link a key or press a button. */
  outsider: "guest" | "other organisation" | null;
  deleted: boolean;
  /** Their time zone in Slack, as an IANA name. */
  zone: string;
}

/** The users of Slack. */
export interface SlackUsers {
  /** `fresh` asks Slack again, for rights that must be live. Rejects with SlackRefused or SlackUnanswered. */
  person(user: string, options?: { fresh?: boolean }): Promise<SlackUser>;
}
