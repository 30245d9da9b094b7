import type { TargetKind } from "../../../operation/target.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { type Customer, listCustomers } from "../../../platform/reseller/customers.ts";
import { count } from "../../../views/text.ts";
import { NotListed } from "../../gone.ts";

/** How a customer that is sold to is found and named: by the partner's own id, too. The platform has no page of one record. */
export const customer: TargetKind<"reseller", Customer> = {
  noun: "customer",
  label: "customer that you sell to",
  foundBy: "name, your own id for them, e-mail address",
  pageSize: 100,
  list: listCustomers,
  read: findCustomer,
  entry: (row) => ({
    id: row.id,
    name: nameOf(row),
    aliases: [row.external_customer_id, row.external_customer_email].filter((alias) => typeof alias === "string"),
    state: "",
    project: "",
    detail: [row.external_customer_id, row.external_customer_email, servicesOf(row)].filter((part) => part).join(" · "),
  }),
};

export function nameOf(row: Pick<Customer, "external_customer_name" | "external_customer_id">): string {
  return row.external_customer_name || row.external_customer_id;
}

/** "3 services"; nothing where the platform does not count them, as for a key that is bound to the customer. */
export function servicesOf({ service_count: services }: Customer): string {
  return typeof services === "number" ? count(services, "service") : "";
}

async function findCustomer(client: ResellerClient, id: string): Promise<Customer> {
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { rows, pagination } = await listCustomers(client, { page, limit: 100 });
    const found = rows.find((row) => row.id === id);
    if (found) return found;
    pages = pagination.pages;
  }
  throw new NotListed("That customer is not among those that you sell to, or your key cannot see it. Nothing changed.");
}
