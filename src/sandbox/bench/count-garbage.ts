import { getHeapStatistics } from "node:v8";
import { isMainThread } from "node:worker_threads";

// Loaded before a program under test: at each signal it prints how many bytes its main thread has allocated since its start.
if (isMainThread)
  process.on("SIGUSR2", () => {
    process.stdout.write(`${JSON.stringify({ allocated: getHeapStatistics().total_allocated_bytes })}\n`);
  });
