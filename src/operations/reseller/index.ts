import { customerOperations } from "./customer/index.ts";
import { eventOperations } from "./event/index.ts";
import { gameOperations } from "./game/index.ts";
import { imageOperations } from "./image/index.ts";
import { orderOperations } from "./order/index.ts";
import { paymentOperations } from "./payment/index.ts";
import { productOperations } from "./product/index.ts";
import { serviceOperations } from "./service/index.ts";
import { webhookOperations } from "./webhook/index.ts";

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
