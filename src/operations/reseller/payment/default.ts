import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { listPaymentMethods, setDefaultPaymentMethod } from "../../../platform/reseller/payment-methods.ts";
import { code } from "../../../views/text.ts";
import { nameOf, paymentMethod } from "./method.ts";

export const makeDefault = defineOperation({
  command: "reseller payment default",
  summary: "Choose the saved card or wallet that later orders are charged to",
  act: setDefaultPaymentMethod,
  reads: [listPaymentMethods],
  risk: "change",
  verb: "Make default",
  target: paymentMethod,
  input: z.object({}),
  async run({ client, target }) {
    await setDefaultPaymentMethod(client, target.id);
    return {
      text: `Later orders are charged to ${code(nameOf(target))}, where the supplier charges a saved method at all.`,
      next: [{ label: "Payment methods", command: "reseller payment list" }],
    };
  },
  async reconcile({ target }) {
    return target.isDefault
      ? { is: "done", text: `${code(nameOf(target))} is the default.` }
      : { is: "not done", text: `${code(nameOf(target))} is not the default.` };
  },
});
