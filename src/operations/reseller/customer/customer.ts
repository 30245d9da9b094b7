import { unknown } from "../../../notifications/answers/filters.ts";
import { matching } from "../../../operation/matching.ts";
import type { TargetKind } from "../../../operation/target.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { type Customer, listCustomers } from "../../../platform/reseller/customers.ts";
import { count } from "../../../views/text.ts";
import { NotListed } from "../../gone.ts";

/** Lists and names the partner's customers for pickers and commands, also by the partner's own id. The platform has no route for one record. */
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

/** "3 services"; empty where the platform sends no count, as for a key bound to the customer. */
export function servicesOf({ service_count: services }: Customer): string {
  return typeof services === "number" ? count(services, "service") : "";
}

/** Finds the one customer with this name, own id or e-mail address. Throws an InputError for none or several. */
export async function customerByText(client: ResellerClient, typed: string): Promise<Customer> {
  const all: Customer[] = [];
  for await (const rows of customerPages(client)) all.push(...rows);
  const found = matching(typed, all, (row) => {
    const { id, name, aliases } = customer.entry(row);
    return [id, name, ...aliases];
  });
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  const named = (rows: Customer[]) => rows.map((row) => row.external_customer_id).sort();
  if (only) throw unknown("customer", `Customer: “${typed}” could be several. There is`, named(found), "and");
  throw unknown("customer", `Customer: there is no “${typed}”. There is`, named(all), "and");
}

async function* customerPages(client: ResellerClient): AsyncGenerator<Customer[]> {
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { rows, pagination } = await listCustomers(client, { page, limit: 100 });
    yield rows;
    pages = pagination.pages;
  }
}

async function findCustomer(client: ResellerClient, id: string): Promise<Customer> {
  for await (const rows of customerPages(client)) {
    const found = rows.find((row) => row.id === id);
    if (found) return found;
  }
  throw new NotListed(
    "That customer is not among those that you sell to, or your key cannot see it.",
    "Nothing changed.",
  );
}
