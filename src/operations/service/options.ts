import * as z from "zod";
import { rowButton } from "../../notifications/answers/buttons.ts";
import { defineOperation } from "../../operation/define.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import {
  type AvailableOption,
  listAvailableOptions,
  listServiceOptions,
  type ServiceOption,
} from "../../platform/customer/options.ts";
import { readService } from "../../platform/customer/services.ts";
import { type Block, type button, section } from "../../views/blocks.ts";
import { money } from "../../views/format.ts";
import { renderJson } from "../../views/json.ts";
import { code, count } from "../../views/text.ts";
import { sideBySide } from "./lines.ts";
import { nameOf, service } from "./service.ts";

export const options = defineOperation({
  command: "service options",
  summary: "List the add-ons that a service has",
  act: listServiceOptions,
  reads: [listAvailableOptions, readService],
  risk: "read",
  target: service,
  input: z.object({}),
  async run({ client, may, target: { service: row } }) {
    const name = code(nameOf(row));
    const held = await serviceAddOns(client, row.id);
    const next = [{ label: "What it could have", command: "service options available", target: row.id }];
    if (held.length === 0) return { text: `${name} has no add-ons.`, next };
    const headline = `${name} has ${count(held.length, "add-on")}.`;
    const removable = may("service option remove");
    const blocks = held.map(({ option, title }) => {
      const { id: _, option_id, status, amount, name: __, ...rest } = option;
      const price = amount === null || amount === undefined ? "price not told" : `${money(amount, null)} a cycle`;
      const text = `*${code(title)}* · ${status.replaceAll("_", " ")} · ${price}`;
      return optionRow(
        text,
        rest,
        removable ? optionButton("Remove…", "service option remove", row.id, option_id) : undefined,
      );
    });
    return { text: headline, blocks: [section(`*${headline}*`), ...blocks], next };
  },
});

export const optionsAvailable = defineOperation({
  command: "service options available",
  summary: "List the add-ons that a service could have, with their prices",
  act: listAvailableOptions,
  reads: [readService],
  risk: "read",
  target: service,
  input: z.object({}),
  async run({ client, may, target: { service: row } }) {
    const name = code(nameOf(row));
    const found = await listAvailableOptions(client, row.id);
    const next = [{ label: "What it has", command: "service options", target: row.id }];
    if (found.length === 0) return { text: `There are no add-ons for ${name}.`, next };
    const headline = `There ${found.length === 1 ? "is" : "are"} ${count(found.length, "add-on")} for ${name}.`;
    const buyable = may("service option add");
    const blocks = found.map((option) => {
      const text = `*${code(titleOf(option))}*${option.held ? " · it has it" : ""}`;
      const buy = buyable && !option.held ? optionButton("Buy…", "service option add", row.id, option.id) : undefined;
      return optionRow(`${text}\n${priceLines(option) ?? "Its price is not told."}`, {}, buy);
    });
    return { text: headline, blocks: [section(`*${headline}*`), ...blocks], next };
  },
});

function optionButton(label: string, command: string, target: string, option: string) {
  return rowButton(label, { command, target, input: { option } }, option);
}

function optionRow(text: string, rest: Record<string, unknown>, press?: ReturnType<typeof button>): Block {
  const fields = Object.entries(rest).filter(([, value]) => value !== null);
  const lines = renderJson(Object.fromEntries(fields));
  return section(lines.length > 0 ? `${text}\n${sideBySide(lines, 1_500)}` : text, press);
}

/** The platform's fields of an add-on beside its name, prices among them, as received: the spec does not show their names. */
export function priceLines({ id: _, name: __, held: ___, ...rest }: AvailableOption): string | null {
  const lines = renderJson(rest);
  return lines.length > 0 ? sideBySide(lines, 450) : null;
}

export function titleOf({ id, name }: AvailableOption): string {
  return name || id;
}

export interface ServiceAddOn {
  option: ServiceOption;
  title: string;
}

/** The add-ons of a service, each with a title: its own name, otherwise the catalogue's. */
export async function serviceAddOns(client: CustomerClient, id: string): Promise<ServiceAddOn[]> {
  const held = await listServiceOptions(client, id);
  const named = held.every(({ name }) => typeof name === "string" && name !== "");
  const catalogue = named ? [] : await listAvailableOptions(client, id);
  return held.map((option) => {
    const own = typeof option.name === "string" ? option.name : null;
    const listed = catalogue.find((one) => one.id === option.option_id)?.name;
    return { option, title: own || listed || option.option_id };
  });
}
