import * as z from "zod";
import { everyProject, listAnswer, listFields } from "../../notifications/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listOrders } from "../../platform/customer/orders.ts";
import { markOf, ordersWith } from "./order.ts";

export const list = defineOperation({
  command: "order list",
  summary: "List orders, all or by host name, status or idempotency key",
  act: listOrders,
  risk: "read",
  target: noTarget,
  input: z.object({
    hostname: z
      .string()
      .max(250)
      .optional()
      .meta({ title: "Host name", description: "Of the order, its lines, or what was built from it" }),
    status: z.string().max(40).optional().meta({ title: "Status", description: "Such as pending or completed" }),
    key: z.string().max(255).optional().meta({ title: "Idempotency key", description: "As the order was sent with" }),
    project: everyProject,
    page: listFields.page,
    export: listFields.export,
  }),
  positional: "hostname",
  async run(call) {
    const { kind, many, byStatus } = ordersWith(call.input);
    const answer = await listAnswer(call, {
      ...{ kind, byStatus, command: "order list", open: "order show", many, mark: markOf },
    });
    const narrowed = many !== "orders" || call.input.status !== undefined;
    const all = narrowed ? [{ label: "All orders", command: "order list", replace: true }] : [];
    const others = (answer.next ?? []).filter(({ label }) => label !== `All ${many}`);
    const fresh = call.may("order new") ? [{ label: "New order…", command: "order new" }] : [];
    return { ...answer, next: [...others, ...all, ...fresh] };
  },
});
