import * as z from "zod";
import type { Answer, Json, Progress, Step } from "../../operation/answer.ts";
import type { PollCall } from "../../operation/operation.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { readUpgrade, type Upgrade, type UpgradeResult } from "../../platform/customer/upgrades.ts";
import { moment } from "../../views/format.ts";
import { paymentDueOn, payStep } from "./payment-due.ts";

/** `what` is the subject of the sentences: "The upgrade of `web-1` to `VPS L`". */
const Handle = z.object({ upgrade: z.string(), what: z.string(), document: z.string().nullable() });
type Handle = z.infer<typeof Handle>;

export const upgradeFollow = {
  every: 5_000,
  deadline: 24 * 60 * 60_000,
  handle: Handle,
  async poll({ client, targetId }: PollCall<"customer">, handle: Handle): Promise<Progress> {
    const { upgrade } = await readUpgrade(client, handle.upgrade);
    return progressOf(upgrade, handle, targetId);
  },
};

/** A payment takes time: poll rarely, and leave the key's hourly calls to members. */
const waitingPace = 60_000;

/** The steps of a change of plan or add-ons (spec section 3.3). */
const stages = ["Pay for it", "Carry it out", "In effect"];

/** The progress of a change of plan or add-ons. */
export function progressOf(upgrade: Upgrade, { what, document }: Handle, targetId: string): Progress {
  const show: Step = { label: "Show", command: "service show", target: targetId };
  if (upgrade.status === "completed") {
    const when = upgrade.executed_at ? ` ${moment(upgrade.executed_at)}` : "";
    return { state: "done", text: `${what} took effect${when}.`, next: [show], plan: { stages, at: 2 } };
  }
  if (upgrade.status === "cancelled")
    return { state: "failed", text: `${what} was withdrawn. Nothing was changed.`, next: [show] };
  if (upgrade.status === "executing")
    return { state: "working", text: `${what} is paid and being carried out.`, plan: { stages, at: 1 } };
  const next = [...(document ? [payStep(document)] : []), withdrawStep(targetId, upgrade.id)];
  return {
    state: "working",
    text: `${what} waits for its payment.`,
    next,
    every: waitingPace,
    plan: { stages, at: 0 },
  };
}

export function withdrawStep(target: string, upgrade: string): Step {
  return { label: "Withdraw", command: "service upgrade cancel", target, input: { upgrade } };
}

/** The answer after a change was sent: done at once, or waiting for its payment. */
export async function changeAnswer(
  client: CustomerClient,
  target: string,
  what: string,
  made: UpgradeResult,
  currency: string | null,
): Promise<Answer> {
  const { upgrade } = made;
  if (upgrade.status === "completed") return { text: `${what} took effect at once; nothing is to be paid for it.` };
  const owed = await paymentDueOn(client, made, currency);
  const handle: Json = { upgrade: upgrade.id, what, document: owed ? (made.document?.id ?? null) : null };
  if (!owed) return { text: `${what} is asked for, and nothing is left to pay.`, handle };
  return {
    text: `${what} is asked for. ${owed.text} It takes effect then, and can be withdrawn until then.`,
    next: [...owed.next, withdrawStep(target, upgrade.id)],
    handle,
  };
}
