import { monitorEventLoopDelay, PerformanceObserver, performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { BroadcastChannel, isMainThread } from "node:worker_threads";
import { percentile } from "./figures.ts";

// Loaded before a program under test, in each of its threads: at each signal it prints what its threads did since the last one.
const signals = new BroadcastChannel("figures");
signals.unref();
const thread = isMainThread ? "main" : "store";

let idle = performance.eventLoopUtilization();

function print(figures: Readonly<Record<string, number>>): void {
  const { utilization } = performance.eventLoopUtilization(idle);
  idle = performance.eventLoopUtilization();
  const lines = Object.entries({ ...figures, [`${thread}Busy`]: utilization });
  process.stdout.write(lines.map(([name, figure]) => `${JSON.stringify({ [name]: figure })}\n`).join(""));
}

function watchMain(): void {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  let pauses: number[] = [];
  new PerformanceObserver((list) => pauses.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: "gc",
  });
  let since = performance.now();
  process.on("SIGUSR2", () => {
    signals.postMessage("print");
    const now = performance.now();
    print({
      delayP99: delays.percentile(99) / 1_000_000,
      longestDelay: delays.max / 1_000_000,
      collecting: pauses.reduce((sum, pause) => sum + pause, 0) / (now - since),
      longestCollection: Math.max(0, ...pauses),
    });
    delays.reset();
    pauses = [];
    since = now;
  });
}

function watchStore(): void {
  const exec = DatabaseSync.prototype.exec;
  let commits: number[] = [];
  DatabaseSync.prototype.exec = function timed(this: DatabaseSync, sql: string): void {
    const began = performance.now();
    exec.call(this, sql);
    if (sql === "COMMIT") commits.push(performance.now() - began);
  };
  signals.addEventListener("message", () => {
    print({ commits: commits.length, commitP50: percentile(commits, 0.5), commitP99: percentile(commits, 0.99) });
    commits = [];
  });
}

if (isMainThread) watchMain();
else watchStore();
