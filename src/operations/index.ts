// operations/: everything that a member can do, one declaration each, in a folder per noun; README.md here shows how to add one.

import type { Operation } from "../operation/operation.ts";
import { createRegistry, type Registry } from "../operation/registry.ts";
import type { AppContext } from "./app-context.ts";
import { billingOperations } from "./billing/index.ts";
import { catalogOperations } from "./catalog/index.ts";
import { dedicatedOperations } from "./dedicated/index.ts";
import { gameOperations } from "./game.ts";
import { imageOperations } from "./image.ts";
import { orderOperations } from "./order/index.ts";
import { projectOperations } from "./project/index.ts";
import { rackbellOperations } from "./rackbell/index.ts";
import { resellerOperations } from "./reseller/index.ts";
import { serviceOperations } from "./service/index.ts";
import { sshKeyOperations } from "./sshkey.ts";
import { vpsOperations } from "./vps/index.ts";

/** All operations of Rackbell. Help, reference and command list are made from this list. */
export const operations: Operation<AppContext>[] = [
  ...vpsOperations,
  ...serviceOperations,
  ...dedicatedOperations,
  ...gameOperations,
  ...catalogOperations,
  ...orderOperations,
  ...billingOperations,
  ...imageOperations,
  ...sshKeyOperations,
  ...projectOperations,
  ...resellerOperations,
  ...rackbellOperations,
];

export const registry: Registry<AppContext> = createRegistry(operations);
