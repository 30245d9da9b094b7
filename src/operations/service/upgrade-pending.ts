import * as z from "zod";
import { doneIf } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { Refusal } from "../../operation/errors.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { readService, type ServiceDetail } from "../../platform/customer/services.ts";
import { cancelUpgrade, previewUpgrades, readUpgrade } from "../../platform/customer/upgrades.ts";
import { jsonBlocks } from "../../views/json.ts";
import { stateWords } from "../../views/states.ts";
import { code } from "../../views/text.ts";
import { card } from "../kits/card.ts";
import { describeChange, readOpenChange } from "./pending-change.ts";
import { changeReads } from "./plan-change.ts";
import { service, serviceName } from "./service.ts";
import { progressOf, upgradeFollow } from "./upgrade.ts";

const upgradeId = z.uuid().optional().meta({ title: "Id of the change", description: "Empty: the pending change" });

export const upgradeShow = defineOperation({
  command: "service upgrade show",
  phrase: "Show an upgrade",
  summary: "Show the progress of a change of a service's plan or add-ons; follow=yes tracks the change to its end",
  act: readUpgrade,
  reads: [readService, ...changeReads],
  // With `follow` the app keeps a message current, so its risk is a change. It writes nothing on the platform.
  risk: { usual: "read", of: ({ input }) => (input.follow ? "change" : "read") },
  target: service,
  input: z.object({
    upgrade: upgradeId,
    follow: z
      .boolean()
      .default(false)
      .meta({ title: "Track", description: "Update a message until the change ends", people: true }),
  }),
  async run(call) {
    const { client, target, input } = call;
    const { service: row } = target;
    const { upgrade, order, what } = await findChange(client, target, input.upgrade);
    const { id, status: _, executed_at: __, ...rest } = upgrade;
    const handle = { upgrade: id, what, document: null };
    const progress = progressOf(upgrade, handle, row.id);
    if (input.follow && progress.state === "working") return { text: progress.text, next: progress.next ?? [], handle };
    const known = { target: row.id, input: { upgrade: id } };
    const shown = card({
      text: progress.text,
      title: `*${progress.text}*`,
      facts: [],
      details: [...jsonBlocks(rest), ...(order ? jsonBlocks(summaryOf(order), { title: "Order" }) : [])],
      id: `Change ${code(id)}`,
      next: [
        ...(progress.next ?? []),
        ...(progress.state === "working"
          ? [{ label: "Track it", command: "service upgrade show", ...known, input: { upgrade: id, follow: true } }]
          : []),
        { label: "Refresh", command: "service upgrade show", ...known, replace: true },
      ],
    });
    return { ...shown, handle: null };
  },
  follow: upgradeFollow,
});

export const upgradeCancel = defineOperation({
  command: "service upgrade cancel",
  group: "money",
  summary: "Withdraw a change of a service's plan or add-ons that awaits payment",
  act: cancelUpgrade,
  reads: [readUpgrade, readService, ...changeReads],
  risk: "change",
  effects: [{ aspect: "payment", on: "documents", to: ["cancelled"] }],
  verb: "Withdraw upgrade of",
  target: service,
  input: z.object({ upgrade: upgradeId }),
  async run({ client, target, input }) {
    const { upgrade, what } = await findChange(client, target, input.upgrade);
    await cancelUpgrade(client, upgrade.id);
    return {
      text: `${what} is withdrawn. Nothing changed, and nothing is to be paid.`,
      next: [{ label: "Upgrades", command: "service upgrades", target: target.service.id }],
    };
  },
  async reconcile({ client, target: { service: row }, input, name }) {
    if (input.upgrade === undefined) {
      const { pendingUpgrade } = await previewUpgrades(client, row.id);
      if (pendingUpgrade) return { is: "not done", text: `a change of ${name} is still pending.` };
      return { is: "unsure", text: `No change of ${name} is pending any more: it was withdrawn, or it took effect.` };
    }
    const { status } = (await readUpgrade(client, input.upgrade)).upgrade;
    const present = `the change of ${name} is ${stateWords(status)}.`;
    return doneIf(status === "cancelled", `the change of ${name} is withdrawn.`, present);
  },
});

/** The change with that id, or the pending one. Only one that has not ended shows if it is an upgrade or a downgrade. */
async function findChange(client: CustomerClient, target: ServiceDetail, id: string | undefined) {
  const { service: row } = target;
  const open = await readOpenChange(client, target);
  if (open && (id === undefined || id === open.upgrade.id)) return describeChange(client, open);
  if (id !== undefined) return { ...(await readUpgrade(client, id)), what: `The change of ${code(serviceName(row))}` };
  throw new Refusal(`No change of ${code(serviceName(row))} is pending. Nothing was sent.`, [
    { label: "Upgrades", command: "service upgrades", target: row.id },
  ]);
}

/** The order's own page shows its lines and services. */
function summaryOf({ items: _, services: __, ...order }: object & { items?: unknown; services?: unknown }): object {
  return order;
}
