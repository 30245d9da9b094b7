import { open } from "node:fs/promises";

/** Opens a file for lines. The returned function resolves when its line is on disk: all that came meanwhile share one flush. */
export async function openAppend(path: string): Promise<(line: string) => Promise<void>> {
  const file = await open(path, "a");
  let waiting: { line: string; onDisk: () => void }[] = [];
  let writing = false;

  async function flush(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await file.appendFile(batch.map(({ line }) => `${line}\n`).join(""));
      await file.datasync();
      for (const { onDisk } of batch) onDisk();
    }
    writing = false;
  }

  return (line) =>
    new Promise((resolve) => {
      waiting.push({ line, onDisk: resolve });
      if (!writing) void flush();
    });
}
