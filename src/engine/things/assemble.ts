import type { Registry } from "../../operation/registry.ts";
import type { Access } from "../access.ts";
import type { Audit } from "../audit/audit.ts";
import type { Binder } from "../bound.ts";
import type { Directory } from "../directory.ts";
import type { Foundation } from "../foundation.ts";
import type { Outbox } from "../telling/outbox.ts";
import { createWatches, type Watches } from "../watches/watches.ts";
import { createFinder, type Finder } from "./finder.ts";
import { createThings, type Things } from "./things.ts";

/** Puts together what members see, find and watch of their estate. */
export function assembleThings(
  foundation: Foundation,
  deps: { access: Access; directory: Directory; binder: Binder; registry: Registry; audit: Audit; outbox: Outbox },
): { things: Things; finder: Finder; watches: Watches } {
  const { clock } = foundation;
  return {
    things: createThings({ ...deps, clock }),
    finder: createFinder({ ...deps, clock }),
    watches: createWatches(foundation, deps),
  };
}
