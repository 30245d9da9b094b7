import { keyNames, type Link, type Links, linksIn } from "../../members/identities/link.ts";
import { stepBlocks } from "../../messages/answers/answers.ts";
import { stepButtons } from "../../messages/answers/buttons.ts";
import { commandMenu } from "../../messages/answers/menus.ts";
import type { Step } from "../../operation/answer.ts";
import { fieldsOf } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import { abilityWords } from "../../operations/rackbell/keys.ts";
import { actions, type Block, button, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";
import type { HomeData } from "./home-data.ts";

/** The refresh button. It needs no code of its own: every press on Home reads again. */
export const refreshAction = "home:refresh";

/** The button that opens the search. */
export const searchAction = "home:search";

/** The first row: ordering, every list, the search. */
export function navigationBlocks({ offer, registry }: HomeData): Block[] {
  const orders = ["order new", "reseller order new"].filter((command) => offer(command));
  const order = stepButtons(
    orders.slice(0, 1).map((command) => ({ label: "Order…", command, style: "primary" })),
    offer,
  );
  const lists = commandMenu(
    "List…",
    registry.topics.flatMap((topic) => {
      const first = topic === "rackbell" ? undefined : registry.under(topic).find(needsNothing);
      return first && offer(first.command) ? [first] : [];
    }),
  );
  const buttons = [button("Find…", searchAction, "-"), button("Refresh", refreshAction, "-")];
  return actions([...order, ...(lists ? [lists] : []), ...buttons], "top");
}

/** The last row. */
export function footerBlocks({ offer, registry }: HomeData): Block[] {
  const steps = ["rackbell approvals", "rackbell help", "rackbell whoami"].map(
    (command): Step => ({ label: registry.find(command)?.verb ?? command, command }),
  );
  return stepBlocks(steps, offer);
}

/** The member's identity at the platform, and the rights of their keys. */
export function linkBlocks(links: Links): Block[] {
  return linksIn(links).flatMap(blocksOf);
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

function needsNothing(operation: Operation): boolean {
  return (
    operation.risk === "read" &&
    operation.target === null &&
    fieldsOf(operation.input).every((field) => !field.required)
  );
}
