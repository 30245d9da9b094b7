import { type CustomerLink, permissionsMissing } from "../../identities/link.ts";
import { type CustomerScope, customerScopes } from "../../platform/customer/client.ts";
import { code, listing } from "../../views/text.ts";

/** The verb for each scope of a customer key. Spec section 5. */
const verbs: Record<CustomerScope, string> = {
  read: "view",
  services: "operate",
  orders: "order",
  billing: "pay",
  destructive: "cancel",
};

/** "It can view, operate, order, pay and cancel.", and the limits of the key and the account. */
export function abilityWords(link: CustomerLink): string {
  const links = { member: link.member, customer: link, reseller: null };
  const lacking = customerScopes.filter((scope) => !link.scopes.includes(scope));
  const refused = link.scopes.filter((scope) => permissionsMissing(links, { api: "customer", scope }) !== null);
  const can = link.scopes.filter((scope) => !refused.includes(scope)).map((scope) => verbs[scope]);
  const sentences = [
    can.length > 0 ? `It can ${listing(can)}.` : "It can do nothing.",
    refused.length > 0 ? `The account does not permit you to ${words(refused)}.` : null,
    lacking.length > 0
      ? `To ${words(lacking)}, a key needs the ${lacking.length === 1 ? "scope" : "scopes"} ${listing(lacking.map((scope) => code(scope)))}.`
      : null,
  ];
  return sentences.filter((sentence) => sentence !== null).join(" ");
}

function words(scopes: CustomerScope[]): string {
  return listing(
    scopes.map((scope) => verbs[scope]),
    "or",
  );
}
