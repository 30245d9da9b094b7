import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { Refusal } from "../../../operation/errors.ts";
import { terminateService } from "../../../platform/reseller/lifecycle.ts";
import { moment } from "../../../views/format.ts";
import { code, prose } from "../../../views/text.ts";
import { nameOf, soldService, soldWords, stateOf, wholesaleOf } from "./service.ts";

export const terminate = defineOperation({
  api: "reseller",
  command: "reseller service terminate",
  summary: "Terminate a service that you sell on, with all that it holds",
  routes: ["DELETE /services/{serviceId}", "GET /services/{serviceId}"],
  scope: "destructive",
  risk: "destroy",
  verb: "Terminate",
  target: soldService,
  copyFirst: "reseller service capture",
  input: z.object({}),
  async review({ target }) {
    const name = code(nameOf(target));
    if (target.status === "terminated") throw new Refusal(`${name} is terminated already. Nothing was asked.`);
    const cost = wholesaleOf(target);
    return {
      consequence: `${soldWords(target)} is terminated now, with all that it holds: there is no way back. Its billing to you stops.`,
      material: [
        { label: "Service", value: name },
        {
          label: "Sold to",
          value: target.externalCustomerId ? code(target.externalCustomerId) : "nobody in particular",
        },
        { label: "State", value: stateOf(target) },
        ...(target.productName ? [{ label: "Product", value: prose(target.productName, 100) }] : []),
      ],
      shown: [
        ...(cost ? [{ label: "Costs you", value: cost }] : []),
        ...(target.nextDueDate ? [{ label: "Next due", value: moment(target.nextDueDate) }] : []),
      ],
    };
  },
  async run({ client, target }) {
    const { alreadyTerminated } = await terminateService(client, target.serviceId);
    const name = code(nameOf(target));
    return {
      text: alreadyTerminated
        ? `${name} had been terminated already; nothing was done twice.`
        : `${name} is terminated, and is no longer billed to you. There is no way back.`,
      next: [{ label: "Services", command: "reseller service list" }],
      customer: target.externalCustomerId,
      unheard: alreadyTerminated,
    };
  },
  expects: { first: ["service.terminated"] },
  async reconcile({ target }) {
    const text = `${code(nameOf(target))} is ${stateOf(target)}.`;
    return { is: target.status === "terminated" ? "done" : "not done", text };
  },
});
