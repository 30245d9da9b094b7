import { serviceNamed } from "./controls.ts";
import { issue } from "./money/documents.ts";
import { toCents } from "./money/money.ts";
import type { Service } from "./world/service.ts";
import { changeStatus, isoNow, type World } from "./world/world.ts";

/**
 * Acts of the supplier, of which a partner gets only the event: a change of status raises it (`programme/watch.ts`). Services are named by
 * their ids.
 */
export interface Supplier {
  /** The next build fails, and those after it do not. */
  failNextBuild(): void;
  suspend(serviceId: string, reason?: string): void;
  unsuspend(serviceId: string): void;
  /** The renewal of a service is owed from now on. Gives the id of its document. */
  billRenewal(serviceId: string): string;
}

export function createSupplier(world: World): Supplier {
  return {
    failNextBuild() {
      world.settings.buildFailure = "capacity";
      const watch = ({ status }: Service) => {
        if (status !== "provisioning_failed") return;
        world.settings.buildFailure = null;
        world.watchers.splice(world.watchers.indexOf(watch), 1);
      };
      world.watchers.push(watch);
    },
    suspend: (id, reason = "Unpaid wholesale renewal") =>
      changeStatus(world, serviceNamed(world, id), "suspended", reason),
    unsuspend: (id) => changeStatus(world, serviceNamed(world, id), "active", "Suspension lifted by the supplier"),
    billRenewal(id) {
      const { name, holder, billing } = serviceNamed(world, id);
      const amount = toCents(billing.amount);
      const lines = [{ description: `Renewal of ${name}`, amount }];
      billing.next_due_date = isoNow(world);
      return issue(world, { holder, cause: "renewal", lines, service_ids: [id], whenPaid: () => {} }).id;
    },
  };
}
