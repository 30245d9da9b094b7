import { createHmac } from "node:crypto";
import { newestEvents } from "../../../src/alerts/event-log.ts";
import type { LoggedEvent } from "../../../src/alerts/events.ts";
import { systemClock } from "../../../src/process/clock.ts";
import { createLog } from "../../../src/process/log.ts";
import { openStore } from "../../../src/storage/open.ts";
import type { Crashing } from "../crashing.ts";

/** An event of the supplier's, with the id that each try to deliver it has. */
export interface Raised {
  id: string;
  event: string;
  data: object;
}

/** Sends one once, dated and signed anew as the supplier does; null where nobody answers. */
export function send(
  { slack, platform, environment }: Crashing,
  { id, event, data }: Raised,
): Promise<Response | null> {
  const body = JSON.stringify({ event, timestamp: new Date().toISOString(), data });
  const signature = createHmac("sha256", platform.reseller.signingSecret() ?? "")
    .update(body)
    .digest("hex");
  return fetch(`http://127.0.0.1:${environment.PORT}/webhooks/reseller/${slack.teamId}`, {
    method: "POST",
    body,
    headers: { "x-webhook-id": id, "x-webhook-signature": `hmac-sha256=${signature}` },
  }).catch(() => null);
}

/** Sends one again and again until it is answered well; how often that was. */
export async function deliver(story: Crashing, raised: Raised): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    if ((await send(story, raised))?.ok) return tries;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The events that the app stored, read after it has stopped. */
export async function keptEvents({ environment }: Crashing, limit: number): Promise<LoggedEvent[]> {
  const store = await openStore({
    url: environment.STORE_URL ?? "",
    prefix: "rackbell",
    clock: systemClock,
    log: createLog({ level: "fatal" }),
  });
  try {
    return await newestEvents({ store }, { limit });
  } finally {
    await store.close();
  }
}
