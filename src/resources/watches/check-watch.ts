import type { Access } from "../../access/access.ts";
import type { Binder, BoundOperation } from "../../access/bound.ts";
import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Registry } from "../../operation/registry.ts";
import { duration } from "../../views/format.ts";
import { viewerOf, type Watch } from "./watch.ts";

/** The operation that shows the watched resource, with the member's key; or the reason why the watch is over, as a sentence. */
export type CheckWatch = (watch: Watch) => Promise<{ bound: BoundOperation } | { over: string }>;

export function createCheckWatch(deps: {
  access: Access;
  binder: Binder;
  registry: Registry;
  clock: Clock;
}): CheckWatch {
  const { access, binder, registry, clock } = deps;
  return async ({ api, card, endsAt, member, project, startedAt, viewer }) => {
    if (clock.now() >= endsAt) return { over: `I watched it for ${duration(endsAt - startedAt)}, as it was set.` };
    const link = (await access.links(member))[api];
    if (!link) return { over: "The key that I looked with is no longer linked." };
    if (link.rejectedAt !== null) return { over: "The platform no longer accepts the key that I looked with." };
    if (viewerOf(link) !== viewer) return { over: "You have linked a key of another user or account since." };
    const operation = registry.find(card);
    if (!operation || operation.api === "app") return { over: "This version of Rackbell cannot read it." };
    try {
      return { bound: (await binder.bind(operation, member)).in(project) };
    } catch (error) {
      if (error instanceof Refusal) return { over: error.message };
      throw error;
    }
  };
}
