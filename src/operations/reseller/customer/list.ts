import * as z from "zod";
import { listAnswer } from "../../../notifications/answers/list.ts";
import { defineOperation } from "../../../operation/define.ts";
import { noTarget } from "../../../operation/target.ts";
import { listCustomers } from "../../../platform/reseller/customers.ts";
import { customer } from "./customer.ts";

export const list = defineOperation({
  command: "reseller customer list",
  summary: "List the customers that you sell to",
  act: listCustomers,
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name, your own id or the e-mail address" }),
    page: z.number().int().min(1).default(1).meta({ title: "Page" }),
  }),
  positional: "text",
  async run(call) {
    const answer = await listAnswer(call, {
      kind: customer,
      command: "reseller customer list",
      open: "reseller customer show",
      many: "customers that you sell to",
      mark: () => ":bust_in_silhouette:",
    });
    return {
      ...answer,
      next: [...(answer.next ?? []), { label: "New customer…", command: "reseller customer create" }],
    };
  },
});
