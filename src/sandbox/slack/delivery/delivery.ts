// delivery/: what goes to the app: payloads, by socket or by signed posts, with their acknowledgements and retries;
// and the triggers and response URLs that go along.

import { appendBounded } from "../wire/bounded.ts";
import type { FaultInjector } from "../wire/faults.ts";
import type { Json } from "../wire/json.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { DeliveryResult, Envelope } from "./envelope.ts";
import { postSigned } from "./signed-post.ts";
import type { Sockets } from "./socket.ts";

const minute = 60_000;
/** Slack repeats an event that was not acknowledged three times: at once, after a minute and after five. */
const retryDelays = [0, minute, 5 * minute];

export interface Delivery {
  /** Sends once. Commands and interactions are never repeated. */
  send(envelope: Envelope): Promise<DeliveryResult>;
  /** Sends an event, and again later when it is not acknowledged; resolves with the first result. */
  event(payload: Json): Promise<DeliveryResult>;
  /** Sends to this address from now on, or by socket again. */
  deliverTo(url: string | null): void;
  close(): void;
}

export function createDelivery(workspace: Workspace, sockets: Sockets, faults: FaultInjector): Delivery {
  const pending = new Set<() => void>();
  let target: string | null = null;

  async function attempt(envelope: Envelope): Promise<DeliveryResult> {
    const lost = faults.takeLostAck();
    const result = await (target === null ? sockets.send(envelope) : postSigned(target, envelope, workspace));
    return lost ? { acked: false, error: "operation_timeout", reason: "timeout" } : result;
  }

  function note({ type, payload, retry }: Envelope, result: DeliveryResult): void {
    const outcome = result.acked ? "acknowledged" : result.error;
    const listening = result.acked ? undefined : result.listening;
    const swallowed = listening !== undefined && { swallowed: { at: workspace.clock.now(), listening } };
    appendBounded(workspace.deliveries, { type, payload, retry: retry?.attempt ?? 0, outcome, ...swallowed });
    workspace.changed({ what: "call" });
  }

  async function send(envelope: Envelope): Promise<DeliveryResult> {
    const result = await attempt(envelope);
    note(envelope, result);
    return result;
  }

  async function event(payload: Json, retry?: Envelope["retry"]): Promise<DeliveryResult> {
    const envelope: Envelope = { type: "events_api", payload, ...(retry && { retry }) };
    const result = await attempt(envelope);
    if (!result.acked) retryLater(payload, (retry?.attempt ?? 0) + 1, result);
    note(envelope, result);
    if (result.acked && !retry && faults.takeRepeat()) await event(payload, { attempt: 1, reason: "timeout" });
    return result;
  }

  function retryLater(payload: Json, count: number, failed: DeliveryResult): void {
    const delay = retryDelays[count - 1];
    if (delay === undefined || failed.acked || failed.noRetry) return;
    const callOff = workspace.clock.after(delay, () => {
      pending.delete(callOff);
      void event(payload, { attempt: count, reason: failed.reason });
    });
    pending.add(callOff);
  }

  return {
    send,
    event: (payload) => event(payload),
    deliverTo(url) {
      target = url;
    },
    close() {
      for (const callOff of pending) callOff();
      pending.clear();
    },
  };
}
