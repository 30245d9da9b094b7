import type { Access } from "../access/access.ts";
import type { Binder } from "../access/bound.ts";
import type { NameIndex } from "../access/name-index.ts";
import type { Audit } from "../audit/audit.ts";
import type { Registry } from "../operation/registry.ts";
import type { Foundation } from "../storage/foundation.ts";

/** The parts of the app with which members list, find and watch their resources. */
export interface ResourcesApp extends Pick<Foundation, "store" | "clock" | "log"> {
  access: Access;
  nameIndex: NameIndex;
  binder: Binder;
  registry: Registry;
  audit: Pick<Audit, "newest">;
}
