import * as z from "zod";
import { listAnswer } from "../../../notifications/answers/list.ts";
import { defineOperation } from "../../../operation/define.ts";
import { noTarget } from "../../../operation/target.ts";
import { listPaymentMethods } from "../../../platform/reseller/payment-methods.ts";
import { paymentMethod } from "./method.ts";

export const list = defineOperation({
  command: "reseller payment list",
  summary: "List the saved cards and wallets that your orders are charged to",
  act: listPaymentMethods,
  risk: "read",
  personal: true,
  target: noTarget,
  input: z.object({ page: z.number().int().min(1).default(1).meta({ title: "Page" }) }),
  run: (call) =>
    listAnswer(call, {
      kind: paymentMethod,
      command: "reseller payment list",
      open: "reseller payment default",
      press: "Make default",
      many: "payment methods",
      mark: (state) => (state === "default" ? ":white_check_mark:" : ":credit_card:"),
    }),
});
