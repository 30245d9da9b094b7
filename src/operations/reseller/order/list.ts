import * as z from "zod";
import { listAnswer } from "../../../notifications/answers/list.ts";
import { defineOperation } from "../../../operation/define.ts";
import { noTarget } from "../../../operation/target.ts";
import { listOrders } from "../../../platform/reseller/orders.ts";
import { PaymentStatus } from "../../../platform/reseller/states.ts";
import { ordersThat, wholesaleOrder } from "./order.ts";

export const list = defineOperation({
  command: "reseller order list",
  summary: "List your orders at the supplier, by text or by how their payment stands",
  act: listOrders,
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the number, or your own id of the order" }),
    payment: PaymentStatus.optional().meta({ title: "Payment" }),
    page: z.number().int().min(1).default(1).meta({ title: "Page" }),
  }),
  positional: "text",
  run: (call) =>
    listAnswer(call, {
      kind: call.input.payment === undefined ? wholesaleOrder : ordersThat(call.input.payment),
      command: "reseller order list",
      open: "reseller order show",
      many: call.input.payment === undefined ? "orders to sell on" : `orders whose payment is ${call.input.payment}`,
      mark: (state) => marks[state] ?? ":hourglass_flowing_sand:",
    }),
});

const marks: Record<string, string> = {
  "paid and built": ":white_check_mark:",
  "charge failed": ":x:",
  "paid, not built": ":x:",
  "not built": ":x:",
  refunded: ":leftwards_arrow_with_hook:",
};
