import type { FaultBox } from "../faults.ts";
import type { Json } from "../json.ts";
import { remember } from "../workspace/history.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Parcel, Receipt } from "./envelope.ts";
import { postSigned } from "./signed-post.ts";
import type { Sockets } from "./socket.ts";

const minute = 60_000;
/** Slack repeats an event that was not acknowledged three times: at once, after a minute and after five. */
const retryDelays = [0, minute, 5 * minute];

export interface Delivery {
  /** Sends once. Commands and interactions are never repeated. */
  send(parcel: Parcel): Promise<Receipt>;
  /** Sends an event, and again later when it is not acknowledged; resolves with the first receipt. */
  event(payload: Json): Promise<Receipt>;
  /** Sends to this address from now on, or by socket again. */
  deliverTo(url: string | null): void;
  close(): void;
}

export function createDelivery(workspace: Workspace, sockets: Sockets, faults: FaultBox): Delivery {
  const pending = new Set<() => void>();
  let target: string | null = null;

  async function attempt(parcel: Parcel): Promise<Receipt> {
    const lost = faults.takeLostAck();
    const receipt = await (target === null ? sockets.send(parcel) : postSigned(target, parcel, workspace));
    return lost ? { acked: false, error: "operation_timeout", reason: "timeout" } : receipt;
  }

  function note({ type, payload, retry }: Parcel, receipt: Receipt): void {
    const outcome = receipt.acked ? "acknowledged" : receipt.error;
    remember(workspace.deliveries, { type, payload, retry: retry?.attempt ?? 0, outcome });
    workspace.changed({ what: "call" });
  }

  async function send(parcel: Parcel): Promise<Receipt> {
    const receipt = await attempt(parcel);
    note(parcel, receipt);
    return receipt;
  }

  async function event(payload: Json, retry?: Parcel["retry"]): Promise<Receipt> {
    const parcel: Parcel = { type: "events_api", payload, ...(retry && { retry }) };
    const receipt = await attempt(parcel);
    if (!receipt.acked) retryLater(payload, (retry?.attempt ?? 0) + 1, receipt);
    note(parcel, receipt);
    if (receipt.acked && !retry && faults.takeRepeat()) await event(payload, { attempt: 1, reason: "timeout" });
    return receipt;
  }

  function retryLater(payload: Json, count: number, failed: Receipt): void {
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
