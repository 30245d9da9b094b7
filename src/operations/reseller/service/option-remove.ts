import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { InputError } from "../../../operation/errors.ts";
import { nameIs } from "../../../operation/preconditions.ts";
import { readOptions, removeOption } from "../../../platform/reseller/options.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { code, oneLine } from "../../../views/text.ts";
import { optionName, requireActive } from "./options.ts";
import { nameOf, resoldService, soldWords } from "./service.ts";

export const optionRemove = defineOperation({
  command: "reseller service option remove",
  summary: "Remove an add-on from a service that you sell on, at once and without a refund",
  act: removeOption,
  reads: [readOptions, readService],
  risk: "destroy",
  verb: "Remove an add-on of",
  target: resoldService,
  input: z.object({ option: z.string().meta({ title: "Add-on" }) }),
  choices: {
    option: async ({ client, target }) =>
      (await readOptions(client, target.serviceId)).active.map((row) => ({ value: row.id, label: optionName(row) })),
  },
  usable: ({ target }) => requireActive(target),
  async review({ client, target, input }) {
    const row = (await readOptions(client, target.serviceId)).active.find(({ id }) => id === input.option);
    if (!row) throw new InputError([{ field: "option", message: "That add-on is gone." }]);
    const name = optionName(row);
    return {
      press: `Remove ${oneLine(name)}`,
      back: "Leave them as they are",
      consequence: `The add-on ${code(name)} of ${soldWords(target)} is removed at once, with what it gave. Nothing is refunded.`,
      preconditions: { option: nameIs("Add-on", name) },
    };
  },
  async run({ client, target, input }) {
    await removeOption(client, target.serviceId, input.option);
    return {
      text: `The add-on is removed from ${code(nameOf(target))}. Nothing is refunded; it is billed no more.`,
      next: [{ label: "Add-ons", command: "reseller service options", target: target.serviceId }],
    };
  },
  async reconcile({ client, target, input }) {
    const there = (await readOptions(client, target.serviceId)).active.some(({ id }) => id === input.option);
    return { is: there ? "not done" : "done", text: there ? "the add-on is still there." : "the add-on is gone." };
  },
});
