import * as z from "zod";
import type { Fact } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { Gone } from "../../../operation/errors.ts";
import { terminateService } from "../../../platform/reseller/lifecycle.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { moment } from "../../../views/format.ts";
import { code, prose } from "../../../views/text.ts";
import { nameOf, resoldService, soldWords, stateOf, wholesaleOf } from "./service.ts";

export const terminate = defineOperation({
  command: "reseller service terminate",
  summary: "Terminate a service that you sell on, with all that it holds",
  act: terminateService,
  reads: [readService],
  risk: "destroy",
  verb: "Terminate",
  target: resoldService,
  bulk: {
    each: () => "It is terminated now, with all that it holds: there is no way back. Its billing to you stops.",
    rows: ({ targets }) => targets.map((target) => ({ material: factsOf(target), price: null })),
  },
  backupFirst: "reseller service capture",
  input: z.object({}),
  async review({ target }) {
    const name = code(nameOf(target));
    if (target.status === "terminated") throw new Gone(`${name} is terminated already.`, "Nothing was asked.");
    const cost = wholesaleOf(target);
    return {
      consequence: `${soldWords(target)} is terminated now, with all that it holds: there is no way back. Its billing to you stops.`,
      material: [{ label: "Service", value: name }, ...factsOf(target), { label: "State", value: stateOf(target) }],
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

function factsOf({ externalCustomerId, productName }: Service): Fact[] {
  return [
    { label: "Sold to", value: externalCustomerId ? code(externalCustomerId) : "nobody in particular" },
    ...(productName ? [{ label: "Product", value: prose(productName, 100) }] : []),
  ];
}
