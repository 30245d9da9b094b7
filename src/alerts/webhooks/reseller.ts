// alerts/webhooks/: receives the supplier's deliveries: verifies each, stores its event, answers.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { SupplierConnection } from "../../members/identities/connection.ts";
import { parseDelivery } from "../../platform/reseller/events.ts";
import { signatureForm } from "../../platform/reseller/signing.ts";
import type { Clock } from "../../process/clock.ts";
import { answerPlainly, createRefusals, type Handler } from "../../process/http.ts";
import type { Intake, UnreadReason } from "../../process/intake.ts";
import { traced } from "../../process/trace.ts";
import type { Store } from "../../storage/store.ts";
import { storeDelivery } from "../event-log.ts";

/** Why a delivery is refused. */
type Refusal = "unsigned" | "not connected" | "forged" | UnreadReason | "malformed" | "not kept";
/** The outcome of a delivery. `known`: its event was stored before. */
export type DeliveryOutcome = Refusal | "kept" | "known";

/** The same answer for every unsigned delivery: a forger must not find out why it was refused. */
const unverified = { status: 401, sentence: "This delivery is not taken." };

const answers: Record<Refusal, { status: number; sentence: string }> = {
  unsigned: unverified,
  "not connected": unverified,
  forged: unverified,
  "broken off": unverified,
  "too large": { status: 413, sentence: unverified.sentence },
  "too slow": { status: 408, sentence: unverified.sentence },
  "crowded out": { status: 503, sentence: unverified.sentence },
  malformed: { status: 400, sentence: "This delivery is signed, and is no event." },
  "not kept": { status: 503, sentence: "This delivery could not be kept. Send it again." },
};

/** Refusals before the whole body was read: the rest of it would be taken for the next request, so the connection is closed. */
const notRead: ReadonlySet<Refusal> = new Set(["unsigned", "too large", "too slow", "crowded out", "broken off"]);

/**
 * Answers `POST /webhooks/reseller/<team id>`: 200 once the event is on disk. After any other answer the supplier sends it again.
 * Reseller spec section 6.
 */
export function createResellerWebhook(deps: {
  connection: Pick<SupplierConnection, "verify">;
  store: Store;
  /** Called for each delivery that has a signature; `other`: it was made with another secret than the stored one. */
  onSignature: (signature: "right" | "other") => Promise<void>;
  intake: Intake;
  clock: Clock;
  log: Logger;
  /** Has the feed post what was stored. */
  wakeFeed: () => void;
  onDelivery: (outcome: DeliveryOutcome) => void;
}): Handler {
  const { connection, onSignature, intake, clock, log, onDelivery } = deps;
  const count = createRefusals<Refusal>({
    clock,
    log,
    onRefused: onDelivery,
    words: "A webhook delivery was refused",
  });

  /** Never rejects: an event must be accepted although the admins could not be notified. */
  function reportSignature(signature: "right" | "other"): Promise<void> {
    return onSignature(signature).catch((error: unknown) =>
      log.error({ err: error }, "The admins could not be notified of deliveries with another secret"),
    );
  }

  async function take(request: IncomingMessage): Promise<DeliveryOutcome> {
    const signature = header(request, "x-webhook-signature") ?? "";
    if (!signatureForm.test(signature)) return "unsigned";
    // Verify before parsing: a forged delivery with a real event's id would make that event look like a repeat.
    const read = await intake.read(request, async (body) => ({
      body,
      verified: await connection.verify(body, signature),
    }));
    if (typeof read === "string") return read;
    const { body, verified } = read.verified;
    if (verified === "forged") await reportSignature("other");
    if (verified !== "right") return verified;
    await reportSignature("right");
    const event = parseDelivery(body);
    if (!event) return "malformed";
    if (event.timestamp === null)
      log.warn(
        { event: event.event },
        "A webhook delivery has no time that can be read: the time of its arrival counts",
      );
    const deliveryId = header(request, "x-webhook-id");
    return (await storeDelivery(deps, { event, body, deliveryId })) ? "kept" : "known";
  }

  function refuse(response: ServerResponse, kind: Refusal): void {
    count(kind);
    const { status, sentence } = answers[kind];
    if (notRead.has(kind)) response.setHeader("connection", "close");
    if (kind === "not kept") response.setHeader("retry-after", "60");
    answerPlainly(response, status, sentence);
  }

  return async (request, response) => {
    const outcome = await traced("webhook", {}, async (span) => {
      const taken = await take(request);
      span.set({ "rackbell.outcome": taken });
      return taken;
    }).catch((error: unknown): DeliveryOutcome => {
      log.error({ err: error }, "A webhook delivery could not be stored; the platform sends it again");
      return "not kept";
    });
    if (outcome !== "kept" && outcome !== "known") return refuse(response, outcome);
    onDelivery(outcome);
    answerPlainly(response, 200, outcome === "kept" ? "Kept." : "Known already.");
  };
}

/** A header that was sent once and has 1 to 200 characters; null otherwise. */
function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" && value.length > 0 && value.length <= 200 ? value : null;
}
