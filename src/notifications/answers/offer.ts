import { may } from "../../access/access.ts";
import type { Links } from "../../identities/link.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";

/** The operation of a command if the member's keys allow it, else null. It decides which buttons a member gets. */
export type Offer = (command: string) => Operation | null;

export function offerTo(links: Links, registry: Registry): Offer {
  return (command) => {
    const operation = registry.find(command);
    return operation && may(links, operation) ? operation : null;
  };
}
