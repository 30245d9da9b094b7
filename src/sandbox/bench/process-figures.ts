import { readdir, readFile } from "node:fs/promises";

/** Processor time of all threads of a process since its start, in milliseconds. Read from Linux's /proc; elsewhere NaN. */
export async function cpuMsOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const nanoseconds = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8").catch(() => "0");
      return Number(text.split(" ")[0]);
    }),
  );
  return threads.length === 0 ? Number.NaN : nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000_000;
}

/** Resident memory of a process, in bytes. */
export async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
}
