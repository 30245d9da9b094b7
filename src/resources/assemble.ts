import type { Access } from "../access/access.ts";
import type { Binder } from "../access/bound.ts";
import type { NameIndex } from "../access/name-index.ts";
import type { Audit } from "../audit/audit.ts";
import type { Outbox } from "../notifications/outbox.ts";
import type { Registry } from "../operation/registry.ts";
import type { Foundation } from "../storage/foundation.ts";
import { createFinder, type Finder } from "./finder.ts";
import { createResources, type Resources } from "./resources.ts";
import { createWatches, type Watches } from "./watches/watches.ts";

/** Builds the parts with which members list, find and watch their resources. */
export function assembleResources(
  foundation: Foundation,
  deps: { access: Access; nameIndex: NameIndex; binder: Binder; registry: Registry; audit: Audit; outbox: Outbox },
): { things: Resources; finder: Finder; watches: Watches } {
  const { clock } = foundation;
  return {
    things: createResources({ ...deps, clock }),
    finder: createFinder({ ...deps, clock }),
    watches: createWatches(foundation, deps),
  };
}
