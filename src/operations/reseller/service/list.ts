import * as z from "zod";
import { listAnswer } from "../../../notifications/answers/list.ts";
import { defineOperation } from "../../../operation/define.ts";
import { noTarget } from "../../../operation/target.ts";
import { pageFrom } from "../../../platform/http/pages.ts";
import { listCustomers } from "../../../platform/reseller/customers.ts";
import { listServices } from "../../../platform/reseller/services.ts";
import { ServiceStatus } from "../../../platform/reseller/states.ts";
import { code } from "../../../views/text.ts";
import { markOf } from "../../service/service.ts";
import { customerByText } from "../customer/customer.ts";
import { resoldService, servicesOf } from "./service.ts";

export const list = defineOperation({
  command: "reseller service list",
  summary: "List the services that you sell on, by text, status or customer",
  act: listServices,
  reads: [listCustomers],
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z
      .string()
      .optional()
      .meta({ title: "Text", description: "In the host name, address, your own id or the id" }),
    status: z.string().optional().meta({ title: "Status", description: "Such as active, suspended or installing" }),
    customer: z
      .string()
      .max(255)
      .optional()
      .meta({ title: "Customer", description: "Their name, or your own id of them" }),
    sort: z.enum(["name", "state"]).optional().meta({ title: "Sorted by" }),
    page: z.number().int().min(1).default(1).meta({ title: "Page" }),
  }),
  positional: "text",
  async run(call) {
    const typed = call.input.customer;
    // Without this check, a mistyped customer would read as a customer without services.
    const customer = typed === undefined ? undefined : (await customerByText(call.client, typed)).external_customer_id;
    return listAnswer(call, {
      kind: customer === undefined ? resoldService : servicesOf(customer),
      command: "reseller service list",
      open: "reseller service show",
      many: customer === undefined ? "services that you sell on" : `services that you sell to ${code(customer)}`,
      mark: markOf,
      async byStatus(client, { status, ...query }) {
        const known = ServiceStatus.safeParse(status);
        const ofCustomer = customer === undefined ? {} : { externalCustomerId: customer };
        return known.success
          ? listServices(client, { ...query, ...ofCustomer, status: known.data })
          : pageFrom([], query);
      },
    });
  },
});
