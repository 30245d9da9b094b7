import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { noTarget } from "../../../operation/target.ts";
import { createCustomer, listCustomers } from "../../../platform/reseller/customers.ts";
import { code } from "../../../views/text.ts";
import { nameOf } from "./customer.ts";
import { customerFields } from "./fields.ts";

export const create = defineOperation({
  command: "reseller customer create",
  summary: "Record a customer that you sell to; it gets no login",
  act: createCustomer,
  reads: [listCustomers],
  risk: "change",
  verb: "Record customer",
  target: noTarget,
  input: z.object({
    id: customerFields.id,
    name: customerFields.name.optional(),
    email: customerFields.email.optional(),
  }),
  positional: "id",
  async run({ client, input }) {
    const { id, name, email } = input;
    const { status, value } = await createCustomer(client, {
      externalCustomerId: id,
      ...(email ? { externalCustomerEmail: email } : {}),
      ...(name ? { externalCustomerName: name } : {}),
    });
    const text =
      status === 200
        ? `There is a customer with the id ${code(id)} already: ${code(nameOf(value))}. Their record is as it was.`
        : `The customer ${code(nameOf(value))} is recorded. Orders and services can be put down to them.`;
    return {
      text,
      next: [
        { label: "Show", command: "reseller customer show", target: value.id },
        { label: "Order for them…", command: "reseller order new", input: { customer: value.external_customer_id } },
      ],
    };
  },
  async reconcile({ client, input }) {
    const { rows } = await listCustomers(client, { search: input.id, limit: 100 });
    return rows.some((row) => row.external_customer_id === input.id)
      ? { is: "done", text: "the customer is recorded." }
      : { is: "not done", text: "there is no such customer." };
  },
});
