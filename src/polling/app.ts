import * as z from "zod";
import type { Products } from "../alerts/products.ts";
import type { Audit } from "../audit/audit.ts";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import type { TypedKeyv } from "../storage/store.ts";

/** The parts of the app that polling works with. */
export interface PollingApp extends Pick<Foundation, "store" | "clock" | "log"> {
  audit: Pick<Audit, "newest">;
  products: Pick<Products, "note">;
  /** Has the alerts' feed post an event that was stored. */
  wakeFeed: () => void;
}

const readerMemory = defineKind({ name: "memory of polling", namespace: "sweep-memory", schema: z.unknown() });

/** The memory of the readers from round to round; each parses its own. */
export function memoryOf({ store }: Pick<PollingApp, "store">): TypedKeyv<unknown> {
  return store.keyv(readerMemory);
}
