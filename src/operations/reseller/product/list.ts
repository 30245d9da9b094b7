import * as z from "zod";
import { listAnswer } from "../../../notifications/answers/list.ts";
import { defineOperation } from "../../../operation/define.ts";
import { noTarget } from "../../../operation/target.ts";
import { listProducts } from "../../../platform/reseller/products.ts";
import { wholesaleProduct } from "./product.ts";

export const list = defineOperation({
  command: "reseller product list",
  summary: "List what you can sell on, at what it costs you",
  act: listProducts,
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name" }),
    page: z.number().int().min(1).default(1).meta({ title: "Page" }),
  }),
  positional: "text",
  run: (call) =>
    listAnswer(call, {
      kind: wholesaleProduct,
      command: "reseller product list",
      open: "reseller product show",
      many: "products at wholesale, excl. VAT",
      mark: () => ":package:",
    }),
});
