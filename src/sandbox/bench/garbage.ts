import type { Side } from "./load.ts";

/** Bytes that the main thread allocates for each command of `work`. The subject prints its sum at each signal, as `count-garbage.ts` has it do. */
export async function garbageOf(side: Side, work: () => Promise<readonly unknown[]>): Promise<number> {
  const before = await allocatedBy(side);
  const commands = await work();
  return ((await allocatedBy(side)) - before) / commands.length;
}

function allocatedBy({ subject }: Side): Promise<number> {
  const told = subject.figure("allocated");
  process.kill(subject.pid, "SIGUSR2");
  return told;
}
