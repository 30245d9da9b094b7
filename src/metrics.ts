import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

/** What the app counts, in a registry of its own, under Prometheus's names. Labels take only words that the code knows: commands, routes, outcomes; never what a member typed. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const commands = new Counter({
    name: "rackbell_commands_total",
    help: "Commands that were run, by what came of them",
    labelNames: ["command", "outcome"],
    registers,
  });
  const acknowledgement = new Histogram({
    name: "rackbell_acknowledgement_seconds",
    help: "From the arrival of a command or press to Slack's receipt of its acknowledgement; Slack waits 3 s",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
    registers,
  });
  const platformCalls = new Histogram({
    name: "rackbell_platform_call_seconds",
    help: "Calls of the platform, by API, by the route as the spec writes it and by status",
    labelNames: ["api", "route", "status"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const audit = new Counter({
    name: "rackbell_audit_entries_total",
    help: "Decisions and runs, by what came of them",
    labelNames: ["what"],
    registers,
  });
  const following = new Gauge({
    name: "rackbell_follow_ups_running",
    help: "Jobs on the platform that are being followed",
    registers,
  });
  const queue = new Gauge({
    name: "rackbell_queue_depth",
    help: "Pieces of work that wait, by queue",
    labelNames: ["queue"],
    registers,
  });
  const drifted = new Gauge({
    name: "rackbell_operations_without_route",
    help: "Operations for which the platform no longer offers a route",
    registers,
  });
  const scrubs = new Counter({
    name: "rackbell_log_scrubs_total",
    help: "Log lines from which the last guard took a secret: each is a leak to mend",
    registers,
  });

  const refused = new Counter({
    name: "rackbell_slack_requests_refused_total",
    help: "Requests to Slack's address that were not taken, by why: a wrong signature, another workspace's, too large",
    labelNames: ["kind"],
    registers,
  });

  const deliveries = new Counter({
    name: "rackbell_deliveries_total",
    help: "Deliveries of the supplier's events, by what came of them: kept, known already, or why they were refused",
    labelNames: ["outcome"],
    registers,
  });

  return {
    registry,
    commandRun: (command: string, outcome: string) => commands.inc({ command, outcome }),
    acknowledged: (seconds: number) => acknowledgement.observe(seconds),
    /** `status` is a number, or the kind of failure when no answer came. */
    platformCalled: (api: string, route: string, status: number | string, seconds: number) =>
      platformCalls.observe({ api, route, status: String(status) }, seconds),
    audited: (what: string) => audit.inc({ what }),
    followUpsRunning: (count: number) => following.set(count),
    queueDepth: (name: string, depth: number) => queue.set({ queue: name }, depth),
    operationsWithoutRoute: (count: number) => drifted.set(count),
    logScrubbed: () => scrubs.inc(),
    delivered: (outcome: string) => deliveries.inc({ outcome }),
    slackRequestRefused: (kind: string) => refused.inc({ kind }),
  };
}
