import { describe, expect, test } from "vitest";
import type { AppContext } from "../../src/engine/app-context.ts";
import type { Operation as AnyOperation } from "../../src/operation/operation.ts";
import { createRegistry } from "../../src/operation/registry.ts";
import { operations } from "../../src/operations/index.ts";
import { routes } from "../platform/reseller/routes.ts";

type Operation = AnyOperation<AppContext>;

/** Pages for people. */
const documents = ["GET /docs", "GET /guide.md"];

/** Every route of the customer API's spec, sections 4.1 to 4.7; the public documentation pages for people are left out. */
const customerRoutes = `
GET /
GET /openapi.json
GET /account
GET /account/balance
GET /account/usage
GET /account/transactions
GET /services
GET /services/{id}
PATCH /services/{id}
GET /services/{id}/actions
POST /services/{id}/actions/{action}
GET /services/{id}/stats
POST /services/{id}/power/{action}
POST /services/{id}/reinstall
POST /services/{id}/password
GET /services/{id}/backups
POST /services/{id}/backups
POST /services/{id}/backups/{backupId}/restore
POST /services/{id}/cancel
DELETE /services/{id}/cancel
POST /services/{id}/renew
GET /services/{id}/game
POST /services/{id}/game/power/{action}
GET /vps
GET /vps/{id}
PATCH /vps/{id}
DELETE /vps/{id}
GET /vps/{id}/ips
GET /vps/{id}/stats
GET /vps/{id}/os-images
POST /vps/{id}/start
POST /vps/{id}/stop
POST /vps/{id}/shutdown
POST /vps/{id}/reboot
POST /vps/{id}/restart
POST /vps/{id}/power/{action}
POST /vps/{id}/reinstall
POST /vps/{id}/password
POST /vps/{id}/capture
GET /vps/{id}/snapshots
POST /vps/{id}/snapshots
DELETE /vps/{id}/snapshots/{snapshotId}
POST /vps/{id}/snapshots/{snapshotId}/revert
GET /dedicated
GET /dedicated/{id}
GET /dedicated/{id}/ips
GET /dedicated/{id}/power-status
GET /dedicated/{id}/provision-status
GET /dedicated/{id}/os-images
GET /dedicated/{id}/stats
GET /dedicated/{id}/traffic
POST /dedicated/{id}/power
POST /dedicated/{id}/power/{action}
POST /dedicated/{id}/reinstall
POST /dedicated/{id}/password
GET /services/{id}/options
GET /services/{id}/options/available
POST /services/{id}/options
DELETE /services/{id}/options/{optionId}
GET /services/{id}/upgrades
POST /services/{id}/upgrades
POST /services/{id}/upgrades/options
GET /upgrades/{upgradeId}
POST /upgrades/{upgradeId}/cancel
GET /locations
GET /products
GET /products/{id}
GET /products/{id}/availability
GET /orders
GET /orders/{id}
POST /orders
GET /invoices
GET /proformas
GET /invoices/{id}
GET /proformas/{id}
POST /invoices/{id}/pay
POST /proformas/{id}/pay
GET /ssh-keys
POST /ssh-keys
DELETE /ssh-keys/{id}
GET /custom-images
GET /custom-images/{id}
POST /custom-images
DELETE /custom-images/{id}
GET /projects
GET /projects/{id}
POST /projects
PATCH /projects/{id}
DELETE /projects/{id}
POST /projects/{id}/move
`
  .trim()
  .split("\n");

const resellerRoutes = routes.filter((route) => !documents.includes(route));

const { all } = createRegistry(operations);

function routesOf(api: Operation["api"]): string[] {
  return all.filter((operation) => operation.api === api).flatMap((operation) => operation.routes);
}

describe("every route of", () => {
  test("the customer API is the work of some command", () => {
    const used = new Set([...routesOf("customer"), ...routesOf("app")]);
    expect(customerRoutes.filter((route) => !used.has(route))).toEqual([]);
  });

  test("the reseller API is the work of some command", () => {
    const used = new Set([...routesOf("reseller"), ...routesOf("app")]);
    expect(resellerRoutes.filter((route) => !used.has(route))).toEqual([]);
  });
});

describe("no command names a route that its API does not have:", () => {
  test.each([
    ["customer", customerRoutes],
    ["reseller", resellerRoutes],
    ["app", [...customerRoutes, ...resellerRoutes]],
  ] as const)("%s", (api, known) => {
    expect(routesOf(api).filter((route) => !known.includes(route))).toEqual([]);
  });
});
