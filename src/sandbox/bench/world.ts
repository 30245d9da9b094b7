import { systemClock } from "../../process/clock.ts";
import { createPracticePlatform } from "../platform/practice-platform.ts";
import { Order, type WorldMessage, WorldOptions } from "./orders.ts";
import { openSink } from "./sink.ts";

/** The world around the app under test, in a process of its own: the practice platform, and the sink for calls to Slack. */
const { bulk, latencyMs, slackLatencyMs } = WorldOptions.parse(JSON.parse(process.argv[2] ?? "{}"));

function send(message: WorldMessage): void {
  process.send?.(message);
}

const platform = await createPracticePlatform({
  clock: systemClock,
  bulk,
  latencyMs,
  // The bench does not measure the limits of the platform.
  hourlyLimit: 100_000_000,
  cooldownPace: 1_000_000,
  pace: 1_000,
});
const sink = await openSink(send, slackLatencyMs);

process.on("message", (message) => {
  const { order, id } = Order.parse(message);
  if (order === "stop") process.exit(0);
  if (order === "clear") platform.clearCalls();
  const key = order === "key" ? platform.addKey({ owner: "ana" }).key : null;
  const calls = order === "calls" ? platform.calls().map(({ method, path }) => `${method} ${path}`) : [];
  send({ type: "reply", id, key, calls });
});
process.once("disconnect", () => process.exit(0));
send({ type: "open", platformUrl: platform.url, slackUrl: sink.url });
