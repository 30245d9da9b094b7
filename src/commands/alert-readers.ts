import { admit } from "../members/access/access.ts";
import type { Origin } from "../messages/origin.ts";
import { Refusal } from "../operation/errors.ts";
import { readsChannel } from "../requests/visibility.ts";
import type { App } from "./app.ts";

/** Returns what is shown in a channel, for a member who may read that channel. A button may be old, or forged. */
export async function requireRead<T extends { channel: string }>(
  app: App,
  shown: T | undefined,
  origin: Origin,
): Promise<T> {
  await admit(app, origin.slackUser);
  if (shown && (await readsChannel(app.requests, shown.channel, origin))) return shown;
  throw new Refusal("That alert is no longer known, or you are not in its channel. Nothing is shown.");
}
