import type { Request } from "../../src/requests/request.ts";
import type { Store } from "../../src/storage/store.ts";

/**
 * The keys of the preconditions in each operation's review. Open requests are compared by these keys, so a renamed key would void all of
 * them without a word. To rename one, give the kind of requests an upcast first, and then write its new name here. A key of
 * several alike ("option 1", "what 2") stands here by its first word.
 */
export const reviewKeys: Readonly<Record<string, readonly string[]>> = {
  "vps snapshot delete": ["snapshot", "taken"],
  "vps revert": ["snapshot", "taken", "destroys"],
  "vps reinstall": ["system", "presentSystem", "disk", "keys"],
  "vps capture": ["disk"],
  "vps move": [],
  "vps keep": [],
  "service upgrade cancel": ["change", "paid"],
  "vps cancel": ["disk", "addresses", "ends", "paidUntil", "paid"],
  "service run": ["provider", "listed"],
  "service reinstall": ["system", "presentSystem", "disk", "keys"],
  "service password": ["kind", "keys"],
  "service restore": ["backup"],
  "service option add": ["option", "cycle", "type", "price", "ends"],
  "service option remove": ["option", "quantity", "price"],
  "service options change": ["added", "removed", "paidUntil", "ends"],
  "service upgrade": [
    ...["from", "to", "cpu", "memory", "disk", "leftOut"],
    ...["today", "later", "rest", "credit", "fee", "net", "tax", "ends"],
  ],
  "service renew": ["price", "paidUntil", "ends"],
  "service move": [],
  "service keep": [],
  "service cancel": ["kind", "disk", "addresses", "ends", "paidUntil", "state", "paid"],
  "dedicated reinstall": ["system", "machine", "keys"],
  "dedicated password": ["machine", "keys"],
  "order new": [
    ...["what", "price", "fee", "place", "system", "option", "keys", "userData", "sum"],
    ...["location", "hostname", "project", "discount"],
  ],
  "billing pay": [
    ...["service", "project", "address", "host", "location", "from", "to", "cpu", "memory", "disk", "price"],
    ...["change", "pays"],
    ...["amount", "left", "total", "document"],
  ],
  "image register": ["source"],
  "image delete": ["image", "kind", "size"],
  "sshkey delete": ["key", "fingerprint"],
  "project move": [],
  "project delete": ["project", "contents", "heir"],
  "reseller order new": [
    ...["what", "price", "setup", "place", "options", "sum"],
    ...["buyer", "system", "hostname", "ownId", "form", "collected", "method"],
  ],
  "reseller order retry": ["order", "amount", "payment", "collected", "method"],
  "reseller service reinstall": ["system", "buyer", "product", "keys"],
  "reseller service password": ["buyer", "product", "backend", "keys"],
  "reseller service restore": ["backup", "taken", "destroys"],
  "reseller service backup delete": ["backup", "taken"],
  "reseller service capture": ["image"],
  "reseller service upgrade": ["from", "to", "cpu", "memory", "disk", "leftOut", "price", "offer"],
  "reseller service options set": ["removed", "added", "price", "collected", "method"],
  "reseller service option remove": ["option", "quantity"],
  "reseller service run": ["plugin", "described"],
  "reseller service terminate": ["service", "buyer", "product", "state", "copies", "addOns", "addresses"],
  "reseller service sshkey delete": ["key"],
  "reseller service transit": ["prefixes"],
  "reseller game file upload": [],
  "reseller game file write": ["path"],
  "reseller game file mkdir": ["path"],
  "reseller game file rename": ["path"],
  "reseller game file compress": ["path"],
  "reseller game file decompress": ["path"],
  "reseller game file chmod": ["path"],
  "reseller game file delete": ["path"],
  "reseller game backup restore": ["backup", "listed"],
  "reseller game backup delete": ["backup"],
  "reseller game schedule delete": ["schedule"],
  "reseller game mod remove": ["mod"],
  "reseller image delete": ["image", "size"],
  "reseller customer change": ["metadata"],
  "reseller customer delete": ["customer", "ownId"],
  "reseller webhook address": [],
};

/** The store, which adds each stored key that the list above does not have to `unknown`, and each stored request to `requests`. */
export function noticingKeys(store: Store, unknown: Set<string>, requests: Map<string, Request>): Store {
  return {
    ...store,
    transact(step) {
      for (const { namespace, text } of step.records) {
        if (namespace !== "requests" || text === undefined) continue;
        const request: Request = JSON.parse(text);
        requests.set(request.id, request);
        for (const key of unknownKeys(request)) unknown.add(key);
      }
      return store.transact(step);
    },
  };
}

/** The keys that the review of any operation may have. */
const sharedKeys = ["unlistedState"];

function unknownKeys({ command, review }: Request): string[] {
  const known = [...sharedKeys, ...(reviewKeys[command] ?? [])];
  return Object.keys(review.preconditions)
    .filter((key) => !known.includes(key.split(" ")[0] ?? ""))
    .map((key) => `${command}: ${key}`);
}
