import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { Gone } from "../../../operation/errors.ts";
import { nameIs } from "../../../operation/preconditions.ts";
import { terminateService } from "../../../platform/reseller/lifecycle.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { moment } from "../../../views/format.ts";
import { code } from "../../../views/text.ts";
import { nameOf, resoldService, soldPreconditions, soldWords, stateOf, wholesaleOf } from "./service.ts";

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
    rows: ({ targets }) => targets.map((target) => ({ preconditions: soldPreconditions(target), price: null })),
  },
  backupFirst: "reseller service capture",
  input: z.object({}),
  async review({ target }) {
    const name = code(nameOf(target));
    if (target.status === "terminated") throw new Gone(`${name} is terminated already.`, "Nothing was asked.");
    const cost = wholesaleOf(target);
    return {
      consequence: `${soldWords(target)} is terminated now, with all that it holds: there is no way back. Its billing to you stops.`,
      preconditions: {
        service: nameIs("Service", nameOf(target)),
        ...soldPreconditions(target),
        state: { value: target.status, label: "State", text: stateOf(target) },
      },
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
