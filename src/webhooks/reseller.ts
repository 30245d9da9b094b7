// webhooks/: a door: the supplier's deliveries. Verify, keep, answer.
// May import: webhooks/*, engine/*, identities/, platform/*, http.ts, the clock.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { EventLog } from "../engine/cards/event-log.ts";
import type { SecretWatch } from "../engine/cards/secret-watch.ts";
import { createRefusals, type Handler, plain, readBody } from "../http.ts";
import type { Connection } from "../identities/connection.ts";
import { readEvent } from "../platform/reseller/events.ts";
import { signatureForm } from "../platform/reseller/signing.ts";

const mostBytes = 1024 * 1024;

/** Why a delivery is not taken. */
type Refusal = "not connected" | "forged" | "too large" | "broken off" | "malformed" | "not kept";
/** What came of a delivery. */
export type DeliveryOutcome = Refusal | "kept" | "known";

/** Whoever cannot sign learns nothing more, whatever was wrong. */
const unverified = { status: 401, sentence: "This delivery is not taken." };

const answers: Record<Refusal, { status: number; sentence: string }> = {
  "not connected": unverified,
  forged: unverified,
  "broken off": unverified,
  "too large": { status: 413, sentence: unverified.sentence },
  malformed: { status: 400, sentence: "This delivery is signed, and is no event." },
  "not kept": { status: 503, sentence: "This delivery could not be kept. Send it again." },
};

/**
 * Answers `POST /webhooks/reseller/<team id>`: 200 once the event is on disk, or was before; anything else has the supplier send it again.
 * Reseller spec section 6.
 */
export function createResellerWebhook(deps: {
  connection: Pick<Connection, "verify">;
  events: Pick<EventLog, "keep">;
  secretWatch: Pick<SecretWatch, "delivered">;
  clock: Clock;
  log: Logger;
  onDelivery: (outcome: DeliveryOutcome) => void;
}): Handler {
  const { connection, events, secretWatch, clock, log, onDelivery } = deps;
  const count = createRefusals<Refusal>({
    ...{ clock, log, onRefused: onDelivery },
    words: "A delivery to the supplier's address was refused",
  });

  /** A failure to tell the admins is no reason to refuse an event. */
  function watched(signature: "right" | "other"): Promise<void> {
    return secretWatch
      .delivered(signature)
      .catch((error: unknown) =>
        log.error({ err: error }, "The admins could not be told of deliveries with another secret"),
      );
  }

  async function take(request: IncomingMessage): Promise<DeliveryOutcome> {
    const body = await readBody(request, mostBytes);
    if (typeof body === "string") return body;
    // Before anything is parsed or looked up: who cannot sign may neither be read nor make a real event look known.
    const signature = header(request, "x-webhook-signature") ?? "";
    const verified = await connection.verify(body, signature);
    if (verified === "forged" && signatureForm.test(signature)) await watched("other");
    if (verified !== "right") return verified;
    await watched("right");
    const event = readEvent(body);
    if (!event) return "malformed";
    const deliveryId = header(request, "x-webhook-id");
    return (await events.keep({ event, body, deliveryId })) ? "kept" : "known";
  }

  function refuse(response: ServerResponse, kind: Refusal): void {
    count(kind);
    const { status, sentence } = answers[kind];
    // What was not read to its end cannot be followed by another request.
    if (kind === "too large") response.setHeader("connection", "close");
    if (kind === "not kept") response.setHeader("retry-after", "60");
    plain(response, status, sentence);
  }

  return async (request, response) => {
    const outcome = await take(request).catch((error: unknown): DeliveryOutcome => {
      log.error({ err: error }, "A delivery of the supplier's could not be kept; they send it again");
      return "not kept";
    });
    if (outcome !== "kept" && outcome !== "known") return refuse(response, outcome);
    onDelivery(outcome);
    plain(response, 200, outcome === "kept" ? "Kept." : "Known already.");
  };
}

/** A header that came once and is of a sensible length. */
function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" && value.length > 0 && value.length <= 200 ? value : null;
}
