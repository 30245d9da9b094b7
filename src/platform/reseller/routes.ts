/** Section 4 of the spec leaves open whether these changes name their object in the path or in the body: the app can call both. */
export const elidedRoutes = {
  "PATCH /services/{id}/game/backups/{gameBackupId}": "services",
  "PATCH /services/{id}/game/schedules/{scheduleId}": "services",
  "DELETE /services/{id}/game/schedules/{scheduleId}": "services",
} as const;

/** Every route of the reseller API below its base path, with the scope that a key needs for it: section 4 of its spec. */
export const resellerRoutes = {
  // Catalogue and orders
  "GET /products": "read",
  "GET /products/{productId}": "read",
  "GET /products/{productId}/schema": "read",
  "POST /orders": "orders",
  "GET /orders": "read",
  "GET /orders/{orderId}": "read",
  "POST /orders/{orderId}/retry": "orders",
  // Services
  "GET /services": "read",
  "GET /services/{serviceId}": "read",
  "POST /services/{serviceId}/power": "services",
  "POST /services/{serviceId}/suspend": "services",
  "POST /services/{serviceId}/unsuspend": "services",
  "DELETE /services/{serviceId}": "destructive",
  "POST /services/{serviceId}/change-package": "services",
  "GET /services/{serviceId}/capabilities": "read",
  "GET /services/{serviceId}/os-templates": "read",
  "GET /services/{serviceId}/stats": "read",
  "GET /services/{serviceId}/console": "services",
  "POST /services/{serviceId}/capture": "services",
  "GET /images": "read",
  "DELETE /images/{imageId}": "services",
  "POST /services/{serviceId}/reinstall": "destructive",
  "POST /services/{serviceId}/password": "destructive",
  "GET /services/{serviceId}/backups": "read",
  "POST /services/{serviceId}/backups": "services",
  "POST /services/{serviceId}/backups/{backupId}/restore": "destructive",
  "DELETE /services/{serviceId}/backups/{backupId}": "destructive",
  "GET /services/{serviceId}/document": "read",
  "GET /services/{serviceId}/traffic": "read",
  "GET /services/{serviceId}/health": "read",
  "GET /services/{serviceId}/network": "read",
  "PUT /services/{serviceId}/rdns": "services",
  "GET /services/{serviceId}/ssh-keys": "read",
  "POST /services/{serviceId}/ssh-keys": "services",
  "DELETE /services/{serviceId}/ssh-keys/{keyId}": "services",
  "POST /services/{serviceId}/console-session": "services",
  "POST /services/{serviceId}/console-cast": "services",
  "GET /services/{serviceId}/console-cast": "services",
  "DELETE /services/{serviceId}/console-cast/{castId}": "services",
  "GET /services/{serviceId}/options": "read",
  "GET /services/{serviceId}/upgrades": "read",
  "PUT /services/{serviceId}/options": "orders",
  "DELETE /services/{serviceId}/options/{serviceOptionId}": "orders",
  "POST /services/{serviceId}/rescue": "services",
  "POST /services/{serviceId}/unrescue": "services",
  "PUT /services/{serviceId}/transit-config": "services",
  "GET /services/{serviceId}/provider": "read",
  "GET /services/{serviceId}/ui-schema": "read",
  "POST /services/{serviceId}/ui-action/{action}": "services",
  // Customers and the account
  "GET /customers": "read",
  "POST /customers": "customers",
  "PUT /customers/{customerId}": "customers",
  "DELETE /customers/{customerId}": "customers",
  "GET /payment-methods": "account",
  "PUT /payment-methods/{methodId}/default": "account",
  "PUT /account/webhook": "account",
  "POST /webhooks/test": "account",
  // Game servers
  "GET /services/{id}/game": "read",
  "GET /services/{id}/game/addons": "read",
  "GET /services/{id}/game/files": "read",
  "GET /services/{id}/game/files/read": "read",
  "GET /services/{id}/game/files/contents": "read",
  "GET /services/{id}/game/files/download": "read",
  "GET /services/{id}/game/sftp": "read",
  "GET /services/{id}/game/backups": "read",
  "GET /services/{id}/game/schedules": "read",
  "GET /services/{id}/game/calendar": "read",
  "GET /services/{id}/game/mods": "read",
  "GET /services/{id}/game/mods/sources": "read",
  "GET /services/{id}/game/mods/search": "read",
  "GET /services/{id}/game/mods/versions": "read",
  "GET /services/{id}/game/mods/project": "read",
  "PATCH /services/{id}/game/vars": "services",
  "POST /services/{id}/game/power/{action}": "services",
  "POST /services/{id}/game/console": "services",
  "POST /services/{id}/game/files/{op}": "services",
  "POST /services/{id}/game/sftp/rotate": "services",
  "POST /services/{id}/game/backups": "services",
  "PATCH /services/{id}/game/backups": "services",
  "POST /services/{id}/game/schedules": "services",
  "PATCH /services/{id}/game/schedules": "services",
  "DELETE /services/{id}/game/schedules": "services",
  "POST /services/{id}/game/schedules/{scheduleId}/run": "services",
  "POST /services/{id}/game/mods": "services",
  "POST /services/{id}/game/mods/upload": "services",
  "DELETE /services/{id}/game/mods/{gameModId}": "services",
  "DELETE /services/{id}/game/backups/{gameBackupId}": "destructive",
  "POST /services/{id}/game/backups/{gameBackupId}/restore": "destructive",
  ...elidedRoutes,
  // Documents that need no key
  "GET /openapi.json": null,
  "GET /docs": null,
  "GET /guide.md": null,
} as const;

export type ResellerRoute = keyof typeof resellerRoutes;

/** The scope of a route; null for a route without a key. */
export type ScopeOfRoute<Route extends ResellerRoute> = (typeof resellerRoutes)[Route];

type OnlyRoutes<Route extends ResellerRoute> = Route;
/** The routes that charge, or begin to. Sections 1.2, 4.3, 4.5 and 4.6. */
export type ChargingResellerRoute = OnlyRoutes<
  | "POST /orders"
  | "POST /orders/{orderId}/retry"
  | "POST /services/{serviceId}/capture"
  | "POST /services/{serviceId}/change-package"
  | "PUT /services/{serviceId}/options"
>;
