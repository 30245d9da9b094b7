import { readdir, readFile } from "node:fs/promises";

/** The resources that a process has used since its start. Read from Linux's /proc; elsewhere each figure is NaN. */
export interface Used {
  /** CPU time of its main thread, in milliseconds. */
  mainCpuMs: number;
  /** Bytes that it had written to a disk. */
  diskBytes: number;
  /** Calls to write of the thread that wrote most to the disk. */
  diskWrites: number;
}

/** Linux counts CPU time in hundredths of a second, whatever its own clock is. */
const tickMs = 10;

export async function usedBy(pid: number): Promise<Used> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const written = await Promise.all(threads.map((thread) => ioOf(`/proc/${pid}/task/${thread}/io`)));
  const most = written.reduce((a, b) => (b.bytes > a.bytes ? b : a), { bytes: 0, calls: 0 });
  return {
    mainCpuMs: await cpuMs(`/proc/${pid}/task/${pid}/stat`),
    diskBytes: (await ioOf(`/proc/${pid}/io`)).bytes,
    diskWrites: most.calls,
  };
}

async function cpuMs(path: string): Promise<number> {
  const text = await readFile(path, "utf8").catch(() => "");
  // The second field is a name in brackets, which may hold blanks; utime and stime are the 14th and 15th.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

async function ioOf(path: string): Promise<{ bytes: number; calls: number }> {
  const text = await readFile(path, "utf8").catch(() => "");
  const figure = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(text)?.[1] ?? Number.NaN);
  return { bytes: figure("write_bytes"), calls: figure("syscw") };
}

/** Resident memory of a process, in bytes. */
export async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
}
