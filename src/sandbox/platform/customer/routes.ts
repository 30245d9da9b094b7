import { createRouter } from "../http/router.ts";
import { accountRoutes } from "./account.ts";
import { addOnRoutes } from "./billing/add-ons.ts";
import { billingRoutes } from "./billing/documents.ts";
import { renewalRoutes } from "./billing/renewal.ts";
import { upgradeRoutes } from "./billing/upgrades.ts";
import { orderRoutes } from "./orders/orders.ts";
import { productRoutes } from "./orders/products.ts";
import { customImageRoutes } from "./projects/custom-images.ts";
import { projectRoutes } from "./projects/projects.ts";
import { sshKeyRoutes } from "./projects/ssh-keys.ts";
import type { Route } from "./request/call.ts";
import { actionRoutes } from "./services/actions.ts";
import { cancellationRoutes } from "./services/cancellation.ts";
import { dedicatedRoutes } from "./services/dedicated.ts";
import { gameRoutes } from "./services/game.ts";
import { serviceRoutes } from "./services/services.ts";
import { vpsRoutes } from "./services/vps.ts";

/** All that the practice platform answers, one entry a route. */
export const routes: Route[] = [
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
];

export const matchRoute = createRouter(routes);
