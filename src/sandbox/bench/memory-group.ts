import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A group of processes that the kernel kills when they need more memory than its limit. */
export interface MemoryGroup {
  /** The file that takes the id of a process which joins. */
  processes: string;
  remove(): void;
}

/** Makes a group below the bench's own with this limit in bytes, without swap. Null where this user or this system has no such groups. */
export function limitMemory(bytes: number): MemoryGroup | null {
  const own = readFileSync("/proc/self/cgroup", "utf8");
  const [, path] = /^\d+:memory:(.*)$/m.exec(own) ?? [];
  if (path === undefined) return null;
  const folder = join("/sys/fs/cgroup/memory", path, `rackbell-bench-${process.pid}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, "memory.limit_in_bytes"), String(bytes));
    writeFileSync(join(folder, "memory.swappiness"), "0");
  } catch {
    return null;
  }
  return { processes: join(folder, "cgroup.procs"), remove: () => rmdirSync(folder) };
}
