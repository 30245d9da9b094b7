import { customerOperations } from "./customer.ts";
import { eventOperations } from "./event.ts";
import { gameOperations } from "./game/index.ts";
import { imageOperations } from "./image.ts";
import { orderOperations } from "./order/index.ts";
import { paymentOperations } from "./payment.ts";
import { productOperations } from "./product/index.ts";
import { serviceOperations } from "./service/index.ts";
import { webhookOperations } from "./webhook.ts";

/** All operations of the reseller API, by sub-noun. */
export const resellerOperations = [
  ...productOperations,
  ...orderOperations,
  ...serviceOperations,
  ...gameOperations,
  ...imageOperations,
  ...customerOperations,
  ...paymentOperations,
  ...eventOperations,
  ...webhookOperations,
];
