import { keyNames, type Link, type Links } from "../../identities/link.ts";
import { stepBlocks } from "../../notifications/answers/answers.ts";
import { stepButtons } from "../../notifications/answers/buttons.ts";
import type { Step } from "../../operation/answer.ts";
import { fieldsOf } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import { abilityWords } from "../../operations/rackbell/keys.ts";
import { actions, type Block, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";
import type { HomeData } from "./home-data.ts";

/** A button for the list of each noun; those for resold services only with a reseller key. */
export function wayBlocks({ links, offer, registry }: HomeData): Block[] {
  const subNouns = registry.topics.filter((topic) => !registry.nouns.includes(topic));
  return [
    section("*Everything else*"),
    ...stepBlocks(waysIn(registry), offer),
    ...(links.reseller
      ? [section("*Resold services*"), ...actions(stepButtons(listsOf(registry, subNouns), offer), "sold-on")]
      : []),
  ];
}

/** The member's identity at the platform, and the rights of their keys. */
export function linkBlocks({ customer, reseller }: Links): Block[] {
  return [customer, reseller].filter((link) => link !== null).flatMap(blocksOf);
}

function blocksOf(link: Link): Block[] {
  const who = link.api === "customer" ? `You act as *${prose(link.user.name, 80)}*` : "You manage resold services";
  const can =
    link.api === "customer" ? abilityWords(link) : `Its scopes: ${link.scopes.map((scope) => code(scope)).join(" ")}`;
  const line = section(`${who} with the ${keyNames[link.api]} ${code(link.keyLabel)}. ${can}`);
  if (!link.rejectedAt) return [line];
  return [
    line,
    section(
      `:warning: The platform refused this key ${moment(link.rejectedAt)}. If it was revoked or has expired, link a new one: \`/rackbell link\`.`,
    ),
  ];
}

/** The first operation of each noun that needs no input: its list. */
function waysIn(registry: Registry): Step[] {
  const own = ["approvals", "help", "whoami"].map(
    (verb): Step => ({ label: labelOf(registry, `rackbell ${verb}`), command: `rackbell ${verb}` }),
  );
  const nouns = registry.nouns.filter((noun) => noun !== "rackbell" && registry.topics.includes(noun));
  return [...listsOf(registry, nouns), ...own];
}

function listsOf(registry: Registry, topics: readonly string[]): Step[] {
  return topics.flatMap((topic): Step[] => {
    const first = registry.under(topic).find(needsNothing);
    return first ? [{ label: `/${first.command}`, command: first.command }] : [];
  });
}

function labelOf(registry: Registry, command: string): string {
  return registry.find(command)?.verb ?? command;
}

function needsNothing(operation: Operation): boolean {
  return (
    operation.risk === "read" &&
    operation.target === null &&
    fieldsOf(operation.input).every((field) => !field.required)
  );
}
