import * as z from "zod";
import { clip } from "../../../views/text.ts";
import type { Request } from "../request.ts";

/** What the modal needs that asks for the number of many: it opens before anything is read. */
const Counted = z.object({ request: z.string(), count: z.number(), press: z.string(), loss: z.string() });
export type Counted = z.infer<typeof Counted>;

const mostWords = 1_000;

/** The value of the button that opens it. */
export function countedValue({ id, bulk, press, consequence }: Request): string {
  const count = bulk?.outcomes.length ?? 0;
  return JSON.stringify({ request: id, count, press, loss: clip(consequence, mostWords) } satisfies Counted);
}

export function readCounted(value: string): Counted | null {
  try {
    return Counted.safeParse(JSON.parse(value)).data ?? null;
  } catch {
    return null;
  }
}
