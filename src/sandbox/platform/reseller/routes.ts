import { createRouter } from "../http/router.ts";
import { customerRoutes } from "./account/customers.ts";
import { paymentMethodRoutes } from "./account/payment-methods.ts";
import { webhookRoutes } from "./account/webhook.ts";
import { documentRoutes } from "./changes/document.ts";
import { optionRoutes } from "./changes/options.ts";
import { packageRoutes } from "./changes/package.ts";
import { gameBackupRoutes } from "./game/backups.ts";
import { gameFileOperationRoutes } from "./game/file-operations.ts";
import { gameFileRoutes } from "./game/files.ts";
import { modRoutes } from "./game/mods.ts";
import { scheduleRoutes } from "./game/schedules.ts";
import { gameServerRoutes } from "./game/server.ts";
import { orderRoutes } from "./orders/orders.ts";
import { productRoutes } from "./orders/products.ts";
import type { Route } from "./request/call.ts";
import { backupRoutes } from "./services/backups.ts";
import { consoleRoutes } from "./services/console.ts";
import { imageRoutes } from "./services/images.ts";
import { lifecycleRoutes } from "./services/lifecycle.ts";
import { networkRoutes } from "./services/network.ts";
import { powerRoutes } from "./services/power.ts";
import { providerRoutes } from "./services/provider.ts";
import { reinstallRoutes } from "./services/reinstall.ts";
import { serverRoutes } from "./services/server.ts";
import { serviceRoutes } from "./services/services.ts";
import { statsRoutes } from "./services/stats.ts";

/** All that the practice platform answers partners, one entry a route. */
export const routes: Route[] = [
  ...productRoutes,
  ...orderRoutes,
  ...serviceRoutes,
  ...powerRoutes,
  ...lifecycleRoutes,
  ...documentRoutes,
  ...packageRoutes,
  ...optionRoutes,
  ...statsRoutes,
  ...reinstallRoutes,
  ...consoleRoutes,
  ...backupRoutes,
  ...imageRoutes,
  ...networkRoutes,
  ...serverRoutes,
  ...providerRoutes,
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...webhookRoutes,
  ...gameServerRoutes,
  ...gameFileRoutes,
  ...gameFileOperationRoutes,
  ...gameBackupRoutes,
  ...scheduleRoutes,
  ...modRoutes,
];

export const matchRoute = createRouter(routes);
