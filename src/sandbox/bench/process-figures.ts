import { readdir, readFile } from "node:fs/promises";

/** Processor time of all threads of these processes since their start, in milliseconds. Read from Linux's /proc; elsewhere NaN. */
export async function cpuMsOf(...pids: number[]): Promise<number> {
  let sum = 0;
  for (const pid of pids) {
    const threads = await threadsOf(pid);
    if (threads.size === 0) return Number.NaN;
    for (const { cpuMs } of threads.values()) sum += cpuMs;
  }
  return sum;
}

/** Milliseconds that a thread has run, and that it was ready to run while no processor was free. */
export interface ThreadTime {
  cpuMs: number;
  waitMs: number;
}

/** The times of all threads since the start of a process, by the name of the thread. Empty where there is no /proc. */
export async function threadsOf(pid: number): Promise<Map<string, ThreadTime>> {
  const found = new Map<string, ThreadTime>();
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const of = (file: string) => readFile(`/proc/${pid}/task/${thread}/${file}`, "utf8").catch(() => "0");
    const [name, times] = [(await of("comm")).trim(), await of("schedstat")];
    const [cpu = 0, wait = 0] = times.split(" ").map((nanoseconds) => Number(nanoseconds) / 1_000_000);
    const { cpuMs, waitMs } = found.get(name) ?? { cpuMs: 0, waitMs: 0 };
    found.set(name, { cpuMs: cpuMs + cpu, waitMs: waitMs + wait });
  }
  return found;
}

/** Resident memory of a process, in bytes. */
export async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
}
