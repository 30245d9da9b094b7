import type { Operation } from "../engine/operation.ts";
import { rackbellOperations } from "./rackbell/index.ts";
import { vpsOperations } from "./vps/index.ts";

/** Everything that Rackbell can do: the feature list. */
export const operations: Operation[] = [...vpsOperations, ...rackbellOperations];
