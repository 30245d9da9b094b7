import { createHmac } from "node:crypto";
import { type Clock, sleep } from "../../../process/clock.ts";
import type { Partner } from "../programme/partner.ts";
import type { ProgrammeSettings } from "../programme/programme.ts";
import type { Shapes } from "../world/shapes.ts";
import { post } from "./post.ts";
import type { Delivery, DeliveryQueue } from "./queue.ts";

const minute = 60_000;
const longestWait = 60 * minute;

interface Parts {
  clock: Clock;
  queue: DeliveryQueue;
  settings: ProgrammeSettings;
  shapes: Pick<Shapes, "webhookTime">;
  /** Posts and retries come this many times sooner. */
  pace: number;
}

export interface WebhookPoster {
  /** The root of the local listener for a host name. Any other name cannot be resolved. */
  resolve(host: string, url: string): void;
  /** Posts the deliveries that are due now, and resolves once each has been tried. */
  postDue(): Promise<void>;
  close(): void;
}

/** Posts the deliveries that are due once a minute, each partner's in the order in which they were made (spec 6). */
export function createWebhookPoster({ clock, queue, settings, shapes, pace }: Parts): WebhookPoster {
  const hosts = new Map<string, string>();
  const closing = new AbortController();
  let posting: Promise<void> | undefined;
  let stop = clock.after(minute / pace, tick);

  function tick(): void {
    void begin().then(() => {
      if (!closing.signal.aborted) stop = clock.after(minute / pace, tick);
    });
  }

  function begin(): Promise<void> {
    posting ??= deliverDue().finally(() => {
      posting = undefined;
    });
    return posting;
  }

  async function deliverDue(): Promise<void> {
    const due = queue.all().filter((one) => one.state === "waiting" && one.due <= clock.now());
    const byPartner = Map.groupBy(queue.faults.reversed ? due.reverse() : due, ({ partner }) => partner);
    await Promise.all([...byPartner].map(([partner, deliveries]) => deliverAll(partner, deliveries)));
  }

  async function deliverAll(partner: Partner, deliveries: Delivery[]): Promise<void> {
    for (const delivery of deliveries) {
      // Pause while the profile is not active; the deliveries wait until it is active again.
      if (partner.status !== "active" || closing.signal.aborted) return;
      const times = queue.faults.twice ? 2 : 1;
      for (let time = 0; time < times; time += 1) settleAttempt(delivery, await attempt(delivery));
      if (queue.faults.apartMs > 0) await sleep(clock, queue.faults.apartMs);
    }
  }

  function settleAttempt(delivery: Delivery, error: string | null): void {
    delivery.error = error;
    delivery.attempts += 1;
    if (error === null) delivery.state = "delivered";
    if (delivery.state === "delivered") return;
    if (delivery.attempts >= settings.webhookAttempts) delivery.state = "failed";
    delivery.due = clock.now() + Math.min(longestWait, minute * 2 ** (delivery.attempts - 1)) / pace;
  }

  /** Dated and signed anew each time, with the secret of now. */
  async function attempt({ id, event, data, partner }: Delivery): Promise<string | null> {
    const { webhookUrl, signingSecret } = partner;
    if (webhookUrl === null || signingSecret === null) return "No address or no secret is on file";
    const target = new URL(webhookUrl);
    const local = hosts.get(target.hostname);
    if (local === undefined) return `${target.hostname} could not be resolved`;
    const now = clock.now();
    const timestamp = new Date(now).toISOString();
    const times = { text: timestamp, seconds: Math.floor(now / 1_000), milliseconds: now };
    const body = JSON.stringify({ event, timestamp: times[shapes.webhookTime], data });
    const headers = {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      host: target.host,
      "user-agent": "Practice-Reseller-Webhook/1.0",
      "x-webhook-event": event,
      "x-webhook-id": id,
      "x-webhook-timestamp": timestamp,
      "x-webhook-signature": `hmac-sha256=${createHmac("sha256", signingSecret).update(body).digest("hex")}`,
    };
    const url = new URL(target.pathname + target.search, local);
    return post({ clock, url, headers, body, signal: closing.signal });
  }

  return {
    resolve: (host, url) => hosts.set(host, url),
    async postDue() {
      // Wait for a run in progress: it does not post deliveries that became due after it began.
      await posting;
      await begin();
    },
    close() {
      stop();
      closing.abort();
    },
  };
}
