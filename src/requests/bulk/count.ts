import * as z from "zod";
import { clip } from "../../views/text.ts";
import type { Request } from "../request.ts";

/** The button's value has everything that the counting modal needs: Slack's trigger expires while storage is read. */
const CountModalValue = z.object({ request: z.string(), count: z.number(), press: z.string(), loss: z.string() });
export type CountModalValue = z.infer<typeof CountModalValue>;

const mostWords = 1_000;

/** Makes the value of the button that opens the counting modal. */
export function countModalValue({ id, bulk, press, consequence }: Request): string {
  const count = bulk?.outcomes.length ?? 0;
  return JSON.stringify({ request: id, count, press, loss: clip(consequence, mostWords) } satisfies CountModalValue);
}

export function readCountModalValue(value: string): CountModalValue | null {
  try {
    return CountModalValue.safeParse(JSON.parse(value)).data ?? null;
  } catch {
    return null;
  }
}
