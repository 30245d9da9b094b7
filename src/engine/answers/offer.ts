import type { Links } from "../../identities/link.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import { may } from "../access.ts";

/** The operation of a command where a member's keys allow it, else null: what buttons are offered by. */
export type Offer = (command: string) => Operation | null;

export function offerTo(links: Links, registry: Registry): Offer {
  return (command) => {
    const operation = registry.find(command);
    return operation && may(links, operation) ? operation : null;
  };
}
