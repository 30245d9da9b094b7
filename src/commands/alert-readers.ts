import { readAlert } from "../alerts/alert.ts";
import { burstPage, openHeld, openHeldAction, readBurst, showBurstAction } from "../alerts/burst.ts";
import { admit } from "../members/access/access.ts";
import type { Origin } from "../messages/origin.ts";
import { Refusal } from "../operation/errors.ts";
import { readsChannel } from "../requests/visibility.ts";
import { actions, button, section } from "../views/blocks.ts";
import { count } from "../views/text.ts";
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

/** Separates the burst from the place of a page in the value of a button. */
const between = "\n";

/** Shows the presser a page of the alerts that one message names, each with the button that posts it. */
export async function showBurst(app: App, value: string, origin: Origin): Promise<void> {
  const [id = "", after] = value.split(between);
  await requireRead(app, await readBurst(app, id), origin);
  const { alerts, next, total } = await burstPage(app, id, after);
  const heading = `${count(total, "alert")} in one message`;
  const rows = alerts.map(({ id: alert, line }) => ({
    ...section(line),
    accessory: button("Post it", openHeldAction, alert),
  }));
  const more = next === undefined ? [] : actions([button("More", showBurstAction, `${id}${between}${next}`)], "burst");
  const message = { text: heading, blocks: [section(`*${heading}*`), ...rows, ...more] };
  await app.reply.ephemeral(origin, message, { replace: after !== undefined });
}

/** Posts one of them as a message of its own, with its buttons. */
export async function openAlert(app: App, id: string, origin: Origin): Promise<void> {
  await requireRead(app, await readAlert(app, id), origin);
  const isOpened = await openHeld(app, id);
  await app.reply.say(origin, isOpened ? "It is posted in its channel, with its buttons." : "It is no longer known.");
}
