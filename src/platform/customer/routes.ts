/** Every route of the customer API with the scope that a key needs for it, in the order of sections 4.1 to 4.7. */
export const customerRoutes = {
  // 4.1 Account and documentation
  "GET /": "read",
  "GET /openapi.json": null,
  "GET /docs": null,
  "GET /guide.md": null,
  "GET /account": "read",
  "GET /account/balance": "read",
  "GET /account/usage": "read",
  "GET /account/transactions": "read",
  // 4.2 Services (any kind)
  "GET /services": "read",
  "GET /services/{id}": "read",
  "PATCH /services/{id}": "services",
  "GET /services/{id}/actions": "read",
  "POST /services/{id}/actions/{action}": "services",
  "GET /services/{id}/stats": "read",
  "POST /services/{id}/power/{action}": "services",
  "POST /services/{id}/reinstall": "services",
  "POST /services/{id}/password": "services",
  "GET /services/{id}/backups": "read",
  "POST /services/{id}/backups": "services",
  "POST /services/{id}/backups/{backupId}/restore": "services",
  "POST /services/{id}/cancel": "destructive",
  "DELETE /services/{id}/cancel": "services",
  "POST /services/{id}/renew": "billing",
  "GET /services/{id}/game": "read",
  "POST /services/{id}/game/power/{action}": "services",
  // 4.3 VPS
  "GET /vps": "read",
  "GET /vps/{id}": "read",
  "PATCH /vps/{id}": "services",
  "DELETE /vps/{id}": "destructive",
  "GET /vps/{id}/ips": "read",
  "GET /vps/{id}/stats": "read",
  "GET /vps/{id}/os-images": "read",
  "POST /vps/{id}/start": "services",
  "POST /vps/{id}/stop": "services",
  "POST /vps/{id}/shutdown": "services",
  "POST /vps/{id}/reboot": "services",
  "POST /vps/{id}/restart": "services",
  "POST /vps/{id}/power/{action}": "services",
  "POST /vps/{id}/reinstall": "services",
  "POST /vps/{id}/password": "services",
  "POST /vps/{id}/capture": "services",
  "GET /vps/{id}/snapshots": "read",
  "POST /vps/{id}/snapshots": "services",
  "DELETE /vps/{id}/snapshots/{snapshotId}": "services",
  "POST /vps/{id}/snapshots/{snapshotId}/revert": "services",
  // 4.4 Dedicated servers
  "GET /dedicated": "read",
  "GET /dedicated/{id}": "read",
  "GET /dedicated/{id}/ips": "read",
  "GET /dedicated/{id}/power-status": "read",
  "GET /dedicated/{id}/provision-status": "read",
  "GET /dedicated/{id}/os-images": "read",
  "GET /dedicated/{id}/stats": "read",
  "GET /dedicated/{id}/traffic": "read",
  "POST /dedicated/{id}/power": "services",
  "POST /dedicated/{id}/power/{action}": "services",
  "POST /dedicated/{id}/reinstall": "services",
  "POST /dedicated/{id}/password": "services",
  // 4.5 Add-ons and upgrades
  "GET /services/{id}/options": "read",
  "GET /services/{id}/options/available": "read",
  "POST /services/{id}/options": "orders",
  "DELETE /services/{id}/options/{optionId}": "destructive",
  "GET /services/{id}/upgrades": "read",
  "POST /services/{id}/upgrades": "orders",
  "POST /services/{id}/upgrades/options": "orders",
  "GET /upgrades/{upgradeId}": "read",
  "POST /upgrades/{upgradeId}/cancel": "orders",
  // 4.6 Catalogue, orders, billing
  "GET /locations": "read",
  "GET /products": "read",
  "GET /products/{id}": "read",
  "GET /products/{id}/availability": "read",
  "GET /orders": "read",
  "GET /orders/{id}": "read",
  "POST /orders": "orders",
  "GET /invoices": "read",
  "GET /proformas": "read",
  "GET /invoices/{id}": "read",
  "GET /proformas/{id}": "read",
  "POST /invoices/{id}/pay": "billing",
  "POST /proformas/{id}/pay": "billing",
  // 4.7 SSH keys, custom images, projects
  "GET /ssh-keys": "read",
  "POST /ssh-keys": "services",
  "DELETE /ssh-keys/{id}": "services",
  "GET /custom-images": "read",
  "GET /custom-images/{id}": "read",
  "POST /custom-images": "services",
  "DELETE /custom-images/{id}": "services",
  "GET /projects": "read",
  "GET /projects/{id}": "read",
  "POST /projects": "services",
  "PATCH /projects/{id}": "services",
  "DELETE /projects/{id}": "destructive",
  "POST /projects/{id}/move": "services",
} as const;

export type CustomerRoute = keyof typeof customerRoutes;

/** The scope of a route; null for a route without a key. */
export type ScopeOfRoute<Route extends CustomerRoute> = (typeof customerRoutes)[Route];

type OnlyRoutes<Route extends CustomerRoute> = Route;
/** The routes that charge, or begin to. Sections 4.2, 4.3, 4.5 to 4.7, and 8 (the storage of an image). */
export type ChargingCustomerRoute = OnlyRoutes<
  | "POST /orders"
  | "POST /invoices/{id}/pay"
  | "POST /proformas/{id}/pay"
  | "POST /services/{id}/renew"
  | "POST /services/{id}/options"
  | "POST /services/{id}/upgrades"
  | "POST /services/{id}/upgrades/options"
  | "POST /vps/{id}/capture"
  | "POST /custom-images"
>;
