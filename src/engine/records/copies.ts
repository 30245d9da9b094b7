import type { Logger } from "pino";
import * as z from "zod";
import type { LastCopy } from "../../operation/copy.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { createRecords } from "../../storage/records.ts";
import type { Store } from "../../storage/store.ts";

const Kept = z.object({ v: z.literal(1), handle: z.json(), at: z.number() });

/** The newest copy of each thing that was taken from here: the platform does not tell what an image was captured of. */
export interface Copies {
  last(of: CopyOf): Promise<LastCopy | null>;
  remember(of: CopyOf, copy: LastCopy): Promise<void>;
}

/** Of which thing, by which command. */
export interface CopyOf {
  api: ApiName;
  command: string;
  target: string;
}

export function createCopies({ store, log }: { store: Store; log: Logger }): Copies {
  const records = createRecords(store.values("copies"), { name: "copy", schema: Kept, version: 1, log });
  return {
    async last(of) {
      const kept = await records.get(keyOf(of));
      return kept ? { handle: kept.handle, at: kept.at } : null;
    },
    remember: (of, copy) => records.set(keyOf(of), { v: 1, ...copy }),
  };
}

function keyOf({ api, command, target }: CopyOf): string {
  return `${api}:${command}:${target}`;
}
