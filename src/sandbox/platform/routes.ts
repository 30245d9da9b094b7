import { accountRoutes } from "./account.ts";
import { actionRoutes } from "./action-routes.ts";
import { addOnRoutes } from "./add-ons.ts";
import { billingRoutes } from "./billing.ts";
import type { Route } from "./call.ts";
import { cancellationRoutes } from "./cancellation.ts";
import { customImageRoutes } from "./custom-images.ts";
import { dedicatedRoutes } from "./dedicated.ts";
import { pathPattern } from "./faults.ts";
import { gameRoutes } from "./game.ts";
import { identityRoutes } from "./identity.ts";
import { orderRoutes } from "./orders.ts";
import { productRoutes } from "./products.ts";
import { projectChangeRoutes } from "./project-changes.ts";
import { projectRoutes } from "./projects.ts";
import { renewalRoutes } from "./renewal.ts";
import { serviceRoutes } from "./service-routes.ts";
import { sshKeyRoutes } from "./ssh-keys.ts";
import { upgradeRoutes } from "./upgrades.ts";
import { vpsRoutes } from "./vps.ts";

/** All that the practice platform answers, one entry a route. */
export const routes: Route[] = [
  ...identityRoutes,
  ...accountRoutes,
  ...serviceRoutes,
  ...actionRoutes,
  ...cancellationRoutes,
  ...renewalRoutes,
  ...gameRoutes,
  ...vpsRoutes,
  ...dedicatedRoutes,
  ...addOnRoutes,
  ...upgradeRoutes,
  ...productRoutes,
  ...orderRoutes,
  ...billingRoutes,
  ...sshKeyRoutes,
  ...customImageRoutes,
  ...projectRoutes,
  ...projectChangeRoutes,
];

const compiled = routes.map((route) => ({ route, pattern: pathPattern(route.path) }));

export function matchRoute(method: string, path: string): { route: Route; params: Record<string, string> } | undefined {
  for (const { route, pattern } of compiled) {
    if (route.method !== method) continue;
    const match = pattern.exec(path);
    if (match !== null) return { route, params: { ...match.groups } };
  }
  return undefined;
}
