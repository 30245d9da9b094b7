import { ownValue } from "../process/own-value.ts";
import type { ServiceStatus } from "./customer/states.ts";
import type { ServiceStatus as ResoldStatus } from "./reseller/states.ts";

/** How far a service is in its life. Whatever Rackbell decides by a status goes by its stage. */
export type ServiceStage = "starting" | "active" | "suspended" | "failed" | "withheld" | "ended";

/** The stage of each status of both specs: customer section 3.1, and reseller section 3.2, which has one status more. */
const stages = {
  pending_payment: "starting",
  pending: "starting",
  installing: "starting",
  active: "active",
  suspended: "suspended",
  provisioning_failed: "failed",
  fraud: "withheld",
  // The specs do not say who cancels a service, so that either status proves its end.
  cancelled: "ended",
  terminated: "ended",
} as const satisfies Record<ServiceStatus | ResoldStatus, ServiceStage>;

/** All statuses of both specs. */
export const serviceStatuses: readonly string[] = Object.keys(stages);

/** The stage of a service. Null: its row does not say, or no spec lists its status. */
export function serviceStage(status: string | null | undefined): ServiceStage | null {
  return ownValue<ServiceStage>(stages, status ?? "") ?? null;
}
