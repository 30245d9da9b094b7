import { proveAtEnd } from "../prove.ts";

interface Shown {
  /** Of the practice platform, as its API names them. */
  routes?: string[];
  /** Of the practice Slack's Web API. */
  methods?: string[];
}

/**
 * Which test file shows each route and each method that the sandbox serves. A file proves its own lines when it has run:
 * each of them must have been called in it, and accepted.
 */
export const coverage: Record<string, Shown> = {
  "platform/customer/account.test.ts": {
    routes: ["GET /account", "GET /account/balance"],
  },
  "platform/customer/billing/billing.test.ts": {
    routes: [
      "GET /account/usage",
      "POST /services/{id}/renew",
      "GET /services/{id}/options",
      "GET /services/{id}/options/available",
      "POST /services/{id}/options",
      "DELETE /services/{id}/options/{optionId}",
      "GET /services/{id}/upgrades",
      "POST /services/{id}/upgrades",
      "POST /services/{id}/upgrades/options",
      "GET /upgrades/{upgradeId}",
      "POST /upgrades/{upgradeId}/cancel",
      "GET /account/transactions",
      "GET /invoices",
      "GET /invoices/{id}",
      "POST /invoices/{id}/pay",
      "GET /proformas",
      "GET /proformas/{id}",
      "POST /proformas/{id}/pay",
    ],
  },
  "platform/customer/checks.test.ts": {
    routes: ["GET /"],
  },
  "platform/customer/orders/orders.test.ts": {
    routes: [
      "GET /locations",
      "GET /products",
      "GET /products/{id}",
      "GET /products/{id}/availability",
      "GET /orders",
      "GET /orders/{id}",
      "POST /orders",
    ],
  },
  "platform/customer/projects/projects.test.ts": {
    routes: [
      "GET /ssh-keys",
      "POST /ssh-keys",
      "DELETE /ssh-keys/{id}",
      "GET /custom-images",
      "POST /custom-images",
      "DELETE /custom-images/{id}",
      "GET /projects",
      "GET /projects/{id}",
      "POST /projects",
      "PATCH /projects/{id}",
      "DELETE /projects/{id}",
      "POST /projects/{id}/move",
    ],
  },
  "platform/customer/services/cancellation.test.ts": {
    routes: ["POST /services/{id}/cancel", "DELETE /services/{id}/cancel", "DELETE /vps/{id}"],
  },
  "platform/customer/services/dedicated.test.ts": {
    routes: [
      "GET /dedicated",
      "GET /dedicated/{id}",
      "POST /dedicated/{id}/power",
      "POST /dedicated/{id}/power/{action}",
      "POST /dedicated/{id}/reinstall",
      "POST /dedicated/{id}/password",
    ],
  },
  "platform/customer/services/game.test.ts": {
    routes: ["GET /services/{id}/game", "POST /services/{id}/game/power/{action}"],
  },
  "platform/customer/services/services.test.ts": {
    routes: [
      "GET /services",
      "GET /services/{id}",
      "GET /services/{id}/stats",
      "POST /services/{id}/power/{action}",
      "POST /services/{id}/reinstall",
      "POST /services/{id}/password",
      "GET /services/{id}/actions",
      "POST /services/{id}/actions/{action}",
      "GET /services/{id}/backups",
      "POST /services/{id}/backups",
      "POST /services/{id}/backups/{backupId}/restore",
    ],
  },
  "platform/customer/services/snapshots.test.ts": {
    routes: [
      "POST /vps/{id}/capture",
      "GET /vps/{id}/snapshots",
      "POST /vps/{id}/snapshots",
      "DELETE /vps/{id}/snapshots/{snapshotId}",
      "POST /vps/{id}/snapshots/{snapshotId}/revert",
      "GET /custom-images/{id}",
    ],
  },
  "platform/customer/services/vps.test.ts": {
    routes: [
      "GET /vps",
      "GET /vps/{id}",
      "PATCH /vps/{id}",
      "PATCH /services/{id}",
      "GET /vps/{id}/ips",
      "GET /vps/{id}/stats",
      "GET /vps/{id}/os-images",
      "POST /vps/{id}/start",
      "POST /vps/{id}/stop",
      "POST /vps/{id}/shutdown",
      "POST /vps/{id}/reboot",
      "POST /vps/{id}/restart",
      "POST /vps/{id}/power/{action}",
      "POST /vps/{id}/reinstall",
      "POST /vps/{id}/password",
    ],
  },
  "platform/customer/shapes.test.ts": {
    routes: [
      "GET /dedicated/{id}/ips",
      "GET /dedicated/{id}/power-status",
      "GET /dedicated/{id}/provision-status",
      "GET /dedicated/{id}/os-images",
      "GET /dedicated/{id}/stats",
      "GET /dedicated/{id}/traffic",
    ],
  },
  "platform/reseller/account/account.test.ts": {
    routes: [
      "GET /reseller/customers",
      "POST /reseller/customers",
      "PUT /reseller/customers/{customerId}",
      "DELETE /reseller/customers/{customerId}",
      "GET /reseller/payment-methods",
      "PUT /reseller/payment-methods/{methodId}/default",
      "PUT /reseller/account/webhook",
      "POST /reseller/webhooks/test",
    ],
  },
  "platform/reseller/changes/changes.test.ts": {
    routes: [
      "GET /reseller/services/{serviceId}/document",
      "GET /reseller/services/{serviceId}/options",
      "PUT /reseller/services/{serviceId}/options",
      "DELETE /reseller/services/{serviceId}/options/{serviceOptionId}",
      "GET /reseller/services/{serviceId}/upgrades",
      "POST /reseller/services/{serviceId}/change-package",
    ],
  },
  "platform/reseller/game/game.test.ts": {
    routes: [
      "GET /reseller/services/{id}/game",
      "GET /reseller/services/{id}/game/addons",
      "PATCH /reseller/services/{id}/game/vars",
      "POST /reseller/services/{id}/game/power/{action}",
      "POST /reseller/services/{id}/game/console",
      "GET /reseller/services/{id}/game/files",
      "GET /reseller/services/{id}/game/files/read",
      "GET /reseller/services/{id}/game/files/contents",
      "GET /reseller/services/{id}/game/files/download",
      "POST /reseller/services/{id}/game/files/{op}",
      "GET /reseller/services/{id}/game/sftp",
      "POST /reseller/services/{id}/game/sftp/rotate",
      "GET /reseller/services/{id}/game/backups",
      "POST /reseller/services/{id}/game/backups",
      "PATCH /reseller/services/{id}/game/backups",
      "PATCH /reseller/services/{id}/game/backups/{gameBackupId}",
      "DELETE /reseller/services/{id}/game/backups/{gameBackupId}",
      "POST /reseller/services/{id}/game/backups/{gameBackupId}/restore",
      "GET /reseller/services/{id}/game/schedules",
      "POST /reseller/services/{id}/game/schedules",
      "PATCH /reseller/services/{id}/game/schedules",
      "PATCH /reseller/services/{id}/game/schedules/{scheduleId}",
      "DELETE /reseller/services/{id}/game/schedules",
      "DELETE /reseller/services/{id}/game/schedules/{scheduleId}",
      "POST /reseller/services/{id}/game/schedules/{scheduleId}/run",
      "GET /reseller/services/{id}/game/calendar",
      "GET /reseller/services/{id}/game/mods",
      "GET /reseller/services/{id}/game/mods/sources",
      "GET /reseller/services/{id}/game/mods/search",
      "GET /reseller/services/{id}/game/mods/versions",
      "GET /reseller/services/{id}/game/mods/project",
      "POST /reseller/services/{id}/game/mods",
      "POST /reseller/services/{id}/game/mods/upload",
      "DELETE /reseller/services/{id}/game/mods/{gameModId}",
    ],
  },
  "platform/reseller/orders/orders.test.ts": {
    routes: [
      "POST /reseller/orders",
      "GET /reseller/orders",
      "GET /reseller/orders/{orderId}",
      "POST /reseller/orders/{orderId}/retry",
    ],
  },
  "platform/reseller/orders/products.test.ts": {
    routes: [
      "GET /reseller/products",
      "GET /reseller/products/{productId}",
      "GET /reseller/products/{productId}/schema",
    ],
  },
  "platform/reseller/services/panels.test.ts": {
    routes: [
      "GET /reseller/services/{serviceId}/stats",
      "GET /reseller/services/{serviceId}/traffic",
      "GET /reseller/services/{serviceId}/health",
      "GET /reseller/services/{serviceId}/os-templates",
      "POST /reseller/services/{serviceId}/reinstall",
      "POST /reseller/services/{serviceId}/password",
      "GET /reseller/services/{serviceId}/console",
      "POST /reseller/services/{serviceId}/console-session",
      "GET /reseller/services/{serviceId}/console-cast",
      "POST /reseller/services/{serviceId}/console-cast",
      "DELETE /reseller/services/{serviceId}/console-cast/{castId}",
      "POST /reseller/services/{serviceId}/capture",
      "GET /reseller/images",
      "DELETE /reseller/images/{imageId}",
      "GET /reseller/services/{serviceId}/backups",
      "POST /reseller/services/{serviceId}/backups",
      "POST /reseller/services/{serviceId}/backups/{backupId}/restore",
      "DELETE /reseller/services/{serviceId}/backups/{backupId}",
      "GET /reseller/services/{serviceId}/network",
      "PUT /reseller/services/{serviceId}/rdns",
      "PUT /reseller/services/{serviceId}/transit-config",
      "GET /reseller/services/{serviceId}/ssh-keys",
      "POST /reseller/services/{serviceId}/ssh-keys",
      "DELETE /reseller/services/{serviceId}/ssh-keys/{keyId}",
      "POST /reseller/services/{serviceId}/rescue",
      "POST /reseller/services/{serviceId}/unrescue",
      "GET /reseller/services/{serviceId}/provider",
      "GET /reseller/services/{serviceId}/ui-schema",
      "POST /reseller/services/{serviceId}/ui-action/{action}",
    ],
  },
  "platform/reseller/services/services.test.ts": {
    routes: [
      "GET /reseller/services",
      "GET /reseller/services/{serviceId}",
      "GET /reseller/services/{serviceId}/capabilities",
      "POST /reseller/services/{serviceId}/power",
      "POST /reseller/services/{serviceId}/suspend",
      "POST /reseller/services/{serviceId}/unsuspend",
      "DELETE /reseller/services/{serviceId}",
    ],
  },
  "slack/actor/modals.test.ts": {
    methods: ["views.open", "views.push", "views.update", "views.publish"],
  },
  "slack/delivery/delivery.test.ts": {
    methods: ["apps.connections.open", "chat.postEphemeral"],
  },
  "slack/webapi/files.test.ts": {
    methods: ["files.getUploadURLExternal", "files.completeUploadExternal", "files.info", "files.delete"],
  },
  "slack/webapi/refusals.test.ts": {
    methods: [
      "api.test",
      "auth.test",
      "team.info",
      "blocks.validate",
      "chat.postMessage",
      "chat.update",
      "chat.delete",
      "chat.getPermalink",
      "conversations.info",
      "conversations.list",
      "conversations.members",
      "conversations.open",
      "conversations.join",
      "conversations.history",
      "conversations.replies",
      "users.conversations",
      "users.info",
      "users.list",
      "usergroups.list",
      "usergroups.users.list",
    ],
  },
};

const accepted = new Set<string>();

/** Records an accepted call, as `GET /vps/{id}` or `chat.update`. */
export function noteAccepted(served: Iterable<string>): void {
  for (const one of served) accepted.add(one);
}

// Lets each file prove its lines of the table.
proveAtEnd(import.meta.dirname, (file) => {
  const { routes = [], methods = [] } = coverage[file] ?? {};
  const left = [...routes, ...methods].filter((one) => !accepted.has(one));
  accepted.clear();
  return left;
});
