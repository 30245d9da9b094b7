import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { type Customer, listCustomers } from "../../../platform/reseller/customers.ts";
import { context, facts, paragraphs, section } from "../../../views/blocks.ts";
import { moment } from "../../../views/format.ts";
import { renderJson } from "../../../views/json.ts";
import { code } from "../../../views/text.ts";
import { customer, nameOf, servicesOf } from "./customer.ts";

export const show = defineOperation({
  command: "reseller customer show",
  summary: "Show a customer that you sell to",
  act: listCustomers,
  risk: "read",
  target: customer,
  input: z.object({}),
  async run({ target }) {
    const held = servicesOf(target);
    const text = `${code(nameOf(target))} is a customer that you sell to${held ? `, with ${held}` : ""}.`;
    const metadata = Object.keys(target.metadata ?? {}).length > 0 ? renderJson(target.metadata) : [];
    return {
      text,
      blocks: [
        section(`:bust_in_silhouette: *${text}*`),
        ...facts(factsOf(target)),
        ...paragraphs(metadata),
        context(`Customer ${code(target.id)}`),
      ],
      next: [
        {
          label: "Services",
          command: "reseller service list",
          input: { customer: target.external_customer_id },
        },
        { label: "Order for them…", command: "reseller order new", input: { customer: target.external_customer_id } },
        { label: "Change…", command: "reseller customer change", target: target.id },
        { label: "Delete…", command: "reseller customer delete", target: target.id },
      ],
    };
  },
});

function factsOf(row: Customer): { label: string; value: string }[] {
  const rows: [string, string | null | undefined][] = [
    ["Your own id", code(row.external_customer_id)],
    ["E-mail", row.external_customer_email && code(row.external_customer_email)],
    ["Name", row.external_customer_name && code(row.external_customer_name)],
    ["Services", servicesOf(row)],
    ["Recorded", row.created_at && moment(row.created_at)],
  ];
  return rows.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}
