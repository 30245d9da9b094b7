import { customerOperations } from "./customer.ts";
import { eventOperations } from "./event.ts";
import { fileChangeOperations } from "./game/file-changes.ts";
import { fileOperations } from "./game/files.ts";
import { backupOperations, modOperations, scheduleOperations } from "./game/lists.ts";
import { serverOperations, sftpOperations } from "./game/server.ts";
import { imageOperations } from "./image.ts";
import { orderOperations } from "./order/index.ts";
import { paymentOperations } from "./payment.ts";
import { productOperations } from "./product/product.ts";
import { serviceOperations } from "./service/index.ts";
import { webhookOperations } from "./webhook.ts";

/** All operations of the reseller API, by sub-noun. */
export const resellerOperations = [
  ...productOperations,
  ...orderOperations,
  ...serviceOperations,
  ...serverOperations,
  ...fileOperations,
  ...fileChangeOperations,
  ...sftpOperations,
  ...backupOperations,
  ...scheduleOperations,
  ...modOperations,
  ...imageOperations,
  ...customerOperations,
  ...paymentOperations,
  ...eventOperations,
  ...webhookOperations,
];
