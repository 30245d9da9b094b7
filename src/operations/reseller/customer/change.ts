import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { changeCustomer, listCustomers } from "../../../platform/reseller/customers.ts";
import { code, listing } from "../../../views/text.ts";
import { customer, nameOf } from "./customer.ts";
import { customerFields, readMetadata } from "./fields.ts";

const emptyHint = "Left empty, it stays as it is";

export const change = defineOperation({
  command: "reseller customer change",
  summary: "Change the name, e-mail address or metadata of a customer that you sell to",
  act: changeCustomer,
  reads: [listCustomers],
  risk: "change",
  verb: "Change customer",
  target: customer,
  input: z
    .object({
      name: customerFields.name.meta({ title: "New name", description: emptyHint }).optional(),
      email: customerFields.email.meta({ title: "New e-mail", description: emptyHint }).optional(),
      metadata: z
        .string()
        .max(3_000)
        .optional()
        .refine((text) => text === undefined || readMetadata(text) !== null, "this must be a JSON object.")
        .meta({
          title: "New metadata",
          format: "lines",
          description: "A JSON object, which replaces all that is stored; {} empties it. Left empty, it stays",
        }),
    })
    .refine((input) => Object.values(input).some((value) => value !== undefined), {
      path: ["name"],
      message: "give at least one thing to change.",
    }),
  current: ({ external_customer_name: name, external_customer_email: email, metadata }) => ({
    name: name ?? null,
    email: email ?? null,
    metadata: metadata ? JSON.stringify(metadata) : null,
  }),
  async run({ client, target, input: { name, email, metadata } }) {
    const replaced = metadata === undefined ? null : readMetadata(metadata);
    await changeCustomer(client, target.id, {
      ...(name ? { externalCustomerName: name } : {}),
      ...(email ? { externalCustomerEmail: email } : {}),
      ...(replaced ? { metadata: replaced } : {}),
    });
    const done = [
      name && `is called ${code(name)} now`,
      email && "has a new e-mail address",
      replaced && "has new metadata, in place of all that was stored",
    ].filter((part) => typeof part === "string");
    return {
      text: `The customer ${code(nameOf(target))} ${listing(done)}.`,
      next: [{ label: "Show", command: "reseller customer show", target: target.id }],
    };
  },
  async reconcile({ target, input: { name, email, metadata } }) {
    if (metadata !== undefined) return { is: "unsure", text: "Look at the customer's record." };
    const is =
      (name === undefined || target.external_customer_name === name) &&
      (email === undefined || target.external_customer_email === email);
    return is
      ? { is: "done", text: "the customer's record says so." }
      : { is: "not done", text: "the customer's record is as it was." };
  },
});
