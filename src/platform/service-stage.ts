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

/** True for an active service, and for one in a state that no spec lists: that may be as good as active. */
export function mayBeActive(status: string | null | undefined): boolean {
  return serviceStage(status) === "active" || unlistedStatus(status).length > 0;
}

/** True in a listed state that is not active: the platform refuses there what it does for active services alone. */
export function isInactive(status: string | null | undefined): boolean {
  const stage = serviceStage(status);
  return stage !== null && stage !== "active";
}

/** The status itself if no spec lists it; nothing of one that is listed or not shown. */
export function unlistedStatus(status: string | null | undefined): string[] {
  return status === null || status === undefined || serviceStage(status) !== null ? [] : [status];
}
