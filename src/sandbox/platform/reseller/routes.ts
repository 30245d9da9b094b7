import { createRouter } from "../http/router.ts";
import { customerRoutes } from "./account/customers.ts";
import { paymentMethodRoutes } from "./account/payment-methods.ts";
import { webhookRoutes } from "./account/webhook.ts";
import { orderRoutes } from "./orders/orders.ts";
import { productRoutes } from "./orders/products.ts";
import type { Route } from "./request/call.ts";
import { lifecycleRoutes } from "./services/lifecycle.ts";
import { powerRoutes } from "./services/power.ts";
import { serviceRoutes } from "./services/services.ts";

/** All that the practice platform answers partners, one entry a route. */
export const routes: Route[] = [
  ...productRoutes,
  ...orderRoutes,
  ...serviceRoutes,
  ...powerRoutes,
  ...lifecycleRoutes,
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...webhookRoutes,
];

export const matchRoute = createRouter(routes);
