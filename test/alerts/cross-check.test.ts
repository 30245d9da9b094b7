import { expect, test } from "vitest";
import { crossCheckLine } from "../../src/alerts/cross-check.ts";
import { Service } from "../../src/platform/reseller/services.ts";
import { ProvisioningStatus, ServiceStatus } from "../../src/platform/reseller/states.ts";
import { eventOf } from "./events.ts";

const states = [...ServiceStatus.options, null];
const builds = [...ProvisioningStatus.options, null];
const waiting: readonly (ServiceStatus | null)[] = ["pending", "pending_payment", "installing", null];

/** The line under a failed build, of an order whose one service has this state. */
function lineOf(build: ProvisioningStatus | null, state: ServiceStatus | null, data: object): string {
  const services = state === null ? {} : { s: state };
  const read = { alerts: [], askedAt: 0, readAt: 1, payment: null, problem: null, reason: "no disk" };
  const event = eventOf("service.provisioning_failed", { orderId: "o", ...data }, 0);
  return crossCheckLine(event, { ...read, provisioning: build, services });
}

test.each([
  ["names its service", { serviceId: "s" }],
  ["names no service", {}],
])(
  "the alert of a failed build that %s agrees with the order, and a service that waits contradicts nothing",
  (_, data) => {
    for (const build of builds)
      for (const state of states) {
        const line = lineOf(build, state, data);
        const name = `${build}, ${state}`;
        if (state === "provisioning_failed") expect(line, name).toContain("says so, too");
        else if (waiting.includes(state) && build === "failed") expect(line, name).toContain("says so, too");
        else if (waiting.includes(state) && state !== null) expect(line, name).toContain("Not confirmed");
        else if (state !== null && "serviceId" in data) expect(line, name).toContain("The platform says otherwise");
      }
    expect(lineOf("provisioned", null, {})).toContain("The platform says otherwise");
    expect(lineOf("failed", null, {})).toContain("says so, too");
  },
);

test("the alert of a failed build is compared with the services that it lists, and not with another one of their order", () => {
  const read = { alerts: [], askedAt: 0, readAt: 1, payment: null, problem: null, reason: null };
  const line = (services: object[], states: Record<string, ServiceStatus>) =>
    crossCheckLine(eventOf("service.provisioning_failed", { orderId: "o", services }, 0), {
      ...{ ...read, provisioning: "failed", services: states },
    });
  const states = { a: "active", b: "provisioning_failed" } as const;
  expect(line([{ serviceId: "a" }], states)).toContain("The platform says otherwise");
  expect(line([{ serviceId: "b" }], states)).toContain("says so, too");
  expect(line([{ serviceId: "a" }, { serviceId: "b" }], states)).toContain("says so, too");
  expect(line([], states)).toContain("says so, too");
});

test("an alert about a service in a state that no spec lists is neither confirmed nor contradicted", () => {
  const read = { alerts: [], askedAt: 0, readAt: 1, payment: null, problem: null, reason: null, provisioning: null };
  const { status } = Service.parse({ serviceId: "s", status: "locked" });
  for (const name of ["service.suspended", "service.terminated", "service.provisioning_failed"] as const)
    expect(crossCheckLine(eventOf(name, { serviceId: "s" }, 0), { ...read, services: { s: status } })).toContain(
      "Not confirmed: the platform shows it as locked",
    );
});

test("the reason that a read finds is under the alert of a failed build that names none", () => {
  expect(lineOf("failed", "pending", {})).toContain("no disk");
  expect(lineOf("failed", "pending", { provisioningError: "No room" })).not.toContain("no disk");
});
