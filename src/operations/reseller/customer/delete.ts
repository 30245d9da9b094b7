import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { Refusal } from "../../../operation/errors.ts";
import { nameIs } from "../../../operation/preconditions.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { type Customer, deleteCustomer, listCustomers } from "../../../platform/reseller/customers.ts";
import { listServices } from "../../../platform/reseller/services.ts";
import { code, count } from "../../../views/text.ts";
import { maybeGone, present } from "../../gone.ts";
import { customer, nameOf } from "./customer.ts";

export const remove = defineOperation({
  command: "reseller customer delete",
  summary: "Delete the record of a customer that you no longer sell to",
  act: deleteCustomer,
  reads: [listCustomers, listServices],
  risk: "destroy",
  verb: "Delete customer",
  target: maybeGone(customer),
  input: z.object({}),
  async review({ client, target }) {
    const found = present(target, "customer");
    await refuseWhileServed(client, found);
    const name = code(nameOf(found));
    return {
      consequence: `The record of ${name} is deleted. Past orders and ended services stay, put down to nobody, and any key that is bound to this customer is revoked. This cannot be undone.`,
      preconditions: {
        customer: nameIs("Customer", nameOf(found)),
        ownId: nameIs("Your own id", found.external_customer_id),
      },
    };
  },
  async run({ client, target }) {
    const found = present(target, "customer");
    await deleteCustomer(client, target.id);
    return {
      text: `The record of ${code(nameOf(found))} is deleted, and keys that were bound to this customer no longer work.`,
      next: [{ label: "Customers", command: "reseller customer list" }],
    };
  },
  async reconcile({ target: { row } }) {
    return row === null
      ? { is: "done", text: "the record is gone." }
      : { is: "not done", text: `the record of ${code(nameOf(row))} is still there.` };
  },
});

/** The platform refuses to delete a customer who has a live service. This check names the obstacle before anybody approves. */
async function refuseWhileServed(client: ResellerClient, found: Customer): Promise<void> {
  const externalCustomerId = found.external_customer_id;
  let living = 0;
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { rows, pagination } = await listServices(client, { page, limit: 100, externalCustomerId });
    living += rows.filter(({ status }) => status !== "terminated" && status !== "cancelled").length;
    pages = pagination.pages;
  }
  if (living === 0) return;
  const [still, them] = living === 1 ? ["is", "it"] : ["are", "them"];
  throw new Refusal(
    `${code(nameOf(found))} has ${count(living, "service")} that ${still} neither terminated nor cancelled, so the record cannot be deleted. Nothing was asked. Terminate ${them} first.`,
    [{ label: "Their services", command: "reseller service list", input: { customer: externalCustomerId } }],
  );
}
