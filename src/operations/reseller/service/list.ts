import * as z from "zod";
import { listAnswer } from "../../../engine/answers/list.ts";
import { defineOperation } from "../../../operation/define.ts";
import { noTarget } from "../../../operation/target.ts";
import { pageFrom } from "../../../platform/http/pages.ts";
import { listServices } from "../../../platform/reseller/services.ts";
import { ServiceStatus } from "../../../platform/reseller/states.ts";
import { code } from "../../../views/text.ts";
import { markOf } from "../../service/service.ts";
import { customerMeant } from "../customer/customer.ts";
import { servicesOf, soldService } from "./service.ts";

export const list = defineOperation({
  api: "reseller",
  command: "reseller service list",
  summary: "List the services that you sell on, by text, status or customer",
  routes: ["GET /services", "GET /customers"],
  scope: "read",
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
    // Else who mistypes a customer reads that they have no services.
    const customer = typed === undefined ? undefined : (await customerMeant(call.client, typed)).external_customer_id;
    return listAnswer(call, {
      kind: customer === undefined ? soldService : servicesOf(customer),
      command: "reseller service list",
      open: "reseller service show",
      many: customer === undefined ? "services that you sell on" : `services that you sell to ${code(customer)}`,
      mark: markOf,
      async byStatus(client, { status, ...query }) {
        const known = ServiceStatus.safeParse(status);
        const whose = customer === undefined ? {} : { externalCustomerId: customer };
        return known.success ? listServices(client, { ...query, ...whose, status: known.data }) : pageFrom([], query);
      },
    });
  },
});
