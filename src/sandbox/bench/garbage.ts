import type { Contender } from "./load.ts";
import { figureOf } from "./subjects.ts";

/** Bytes that the main thread allocates for each command of `work`, by the sums that `count-garbage.ts` has it print. */
export async function garbageOf({ subject }: Contender, work: () => Promise<readonly unknown[]>): Promise<number> {
  const before = await figureOf(subject, "allocated");
  const commands = await work();
  return ((await figureOf(subject, "allocated")) - before) / commands.length;
}
