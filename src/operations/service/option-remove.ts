import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { InputError } from "../../operation/errors.ts";
import { nameIs } from "../../operation/preconditions.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listAvailableOptions, listServiceOptions, removeOption } from "../../platform/customer/options.ts";
import { readService, type Service } from "../../platform/customer/services.ts";
import { money } from "../../views/format.ts";
import { code, oneLine } from "../../views/text.ts";
import { type ServiceAddOn, serviceAddOns } from "./options.ts";
import { nameOf, service } from "./service.ts";

export const optionRemove = defineOperation({
  command: "service option remove",
  summary: "Take an add-on off a service at once",
  act: removeOption,
  reads: [listServiceOptions, listAvailableOptions, readService],
  risk: "destroy",
  verb: "Remove add-on",
  target: service,
  input: z.object({ option: z.string().meta({ title: "Add-on" }) }),
  choices: {
    // Send the catalogue's id: this endpoint does not accept the row's own id.
    option: async ({ client, target: { service: row } }) =>
      (await serviceAddOns(client, row.id)).map(({ option, title }) => ({ value: option.option_id, label: title })),
  },
  async review({ client, target: { service: row }, input }) {
    const { option, title } = await findHeld(client, row, input.option);
    const price = option.amount === null || option.amount === undefined ? null : money(option.amount, null);
    return {
      press: `Remove ${oneLine(title)}`,
      back: `Keep ${oneLine(title)}`,
      consequence: `${code(title)} is taken off ${code(nameOf(row))} at once, with all that it gave. What is paid for it is not paid back here.`,
      preconditions: {
        option: nameIs("Add-on", title),
        price: {
          value: option.amount ?? null,
          label: "Price a cycle",
          text: price ?? "The platform does not tell it.",
        },
      },
      shown: [{ label: "State", value: option.status.replaceAll("_", " ") }],
    };
  },
  async run({ client, target: { service: row }, input }) {
    const { title } = await findHeld(client, row, input.option);
    await removeOption(client, row.id, input.option);
    return {
      text: `${code(title)} is off ${code(nameOf(row))}. To have it again it must be bought again.`,
      next: [
        { label: "Buy it again…", command: "service option add", target: row.id, input: { option: input.option } },
        { label: "Add-ons", command: "service options", target: row.id },
      ],
    };
  },
  async reconcile({ client, target: { service: row }, input }) {
    const held = (await listServiceOptions(client, row.id)).some(({ option_id }) => option_id === input.option);
    const name = code(nameOf(row));
    return held ? { is: "not done", text: `${name} still has it.` } : { is: "done", text: `${name} no longer has it.` };
  },
});

async function findHeld(client: CustomerClient, row: Service, id: string): Promise<ServiceAddOn> {
  const found = (await serviceAddOns(client, row.id)).find(({ option }) => option.option_id === id);
  if (found) return found;
  throw new InputError([{ field: "option", message: `${nameOf(row)} does not have that add-on.` }]);
}
