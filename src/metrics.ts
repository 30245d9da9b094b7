import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

/** The number of waiting items in a queue, and the age of the oldest in seconds. */
export interface Waiting {
  depth: number;
  ageSeconds: number;
  /** How many items failed at their last try and will be retried. */
  failing?: number;
}

/** The metric label for each of the platform's errors, by the error's name. */
const failureKinds: Readonly<Record<string, string>> = {
  PlatformRefused: "refused",
  PlatformUnanswered: "unanswered",
  PlatformTooLate: "too late",
  PlatformOffContract: "off contract",
};

/** More reasons than Slack uses here. Any further reason is counted as "other", so that labels cannot grow without end. */
const mostReasons = 200;

/**
 * The app's metrics, in their own registry, under Prometheus's names. Labels take only known words (commands, routes, outcomes), never
 * text from a member.
 */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry, ...countWork(registry), ...countPlatform(registry), ...countSlack(registry), ...gauge(registry) };
}

function countWork(registry: Registry) {
  const commands = counter(registry, ["command", "outcome"], {
    name: "rackbell_commands_total",
    help: "Commands that were run, by outcome",
  });
  const acknowledgement = new Histogram({
    name: "rackbell_acknowledgement_seconds",
    help: "From the arrival of a command or press to Slack's receipt of its acknowledgement; Slack waits 3 s",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
    registers: [registry],
  });
  const audit = counter(registry, ["what"], {
    name: "rackbell_audit_entries_total",
    help: "Decisions and runs, by outcome",
  });
  const deliveries = counter(registry, ["outcome"], {
    name: "rackbell_deliveries_total",
    help: "Webhook deliveries of the platform, by outcome: stored, duplicate, or the reason of the refusal",
  });
  const scrubs = counter(registry, [], {
    name: "rackbell_log_scrubs_total",
    help: "Log lines from which the last guard removed a secret: each is a leak to fix",
  });

  return {
    commandRun: (command: string, outcome: string) => commands.inc({ command, outcome }),
    acknowledged: (seconds: number) => acknowledgement.observe(seconds),
    audited: (what: string) => audit.inc({ what }),
    delivered: (outcome: string) => deliveries.inc({ outcome }),
    logScrubbed: () => scrubs.inc(),
  };
}

function countPlatform(registry: Registry) {
  const calls = new Histogram({
    name: "rackbell_platform_call_seconds",
    help: "Calls of the platform, by API, by route as in the spec, and by status or kind of failure",
    labelNames: ["api", "route", "status"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const errors = counter(registry, ["api", "kind"], {
    name: "rackbell_platform_errors_total",
    help: "Calls of the platform that failed, by API and kind: refused, unanswered, too late, off contract",
  });

  return {
    /** `error`: the name of the error that the call ended with. `status` is absent if no answer came. */
    platformCalled({ api, route, status, error, ms }: PlatformCall): void {
      const kind = error === undefined ? undefined : (failureKinds[error] ?? "other");
      if (kind !== undefined) errors.inc({ api, kind });
      calls.observe({ api, route, status: String(status ?? kind ?? "none") }, ms / 1_000);
    },
  };
}

interface PlatformCall {
  api: string;
  route: string;
  status?: number;
  error?: string;
  ms: number;
}

function countSlack(registry: Registry) {
  const calls = counter(registry, ["method", "outcome"], {
    name: "rackbell_slack_calls_total",
    help: "Calls of Slack's Web API and of response URLs, by outcome: ok, refused, rate limited, unanswered",
  });
  const refusals = counter(registry, ["method", "reason"], {
    name: "rackbell_slack_refusals_total",
    help: "Calls that Slack refused, by Slack's reason",
  });
  const requests = counter(registry, ["kind"], {
    name: "rackbell_slack_requests_refused_total",
    help: "Refused requests to the address for Slack, by reason: a wrong signature, another workspace, too large",
  });
  const reasons = new Set<string>();

  return {
    slackCalled({ method, outcome, reason }: { method: string; outcome: string; reason?: string }): void {
      calls.inc({ method, outcome });
      if (reason === undefined) return;
      if (reasons.size < mostReasons) reasons.add(reason);
      refusals.inc({ method, reason: reasons.has(reason) ? reason : "other" });
    },
    slackRequestRefused: (kind: string) => requests.inc({ kind }),
  };
}

/** Gauges: values at the moment of the read. */
function gauge(registry: Registry) {
  const storeUp = level(registry, [], {
    name: "rackbell_store_up",
    help: "1 if the store answers, 0 if not. Without an answer, metrics about stored data are left out",
  });
  const requests = level(registry, ["state"], {
    name: "rackbell_requests_open",
    help: "Open requests, by state: awaiting a decision (pending), running (claimed), outcome unknown (unknown)",
  });
  const following = level(registry, [], {
    name: "rackbell_follow_ups_running",
    help: "Jobs on the platform that Rackbell tracks",
  });
  const undelivered = level(registry, [], {
    name: "rackbell_cards_undelivered",
    help: "Alerts that Slack accepts in no channel",
  });
  const depth = level(registry, ["queue"], {
    name: "rackbell_queue_depth",
    help: "Due tasks that wait, by queue",
  });
  const age = level(registry, ["queue"], {
    name: "rackbell_queue_age_seconds",
    help: "Age of the oldest waiting task, by queue",
  });
  const failing = level(registry, ["queue"], {
    name: "rackbell_queue_failing",
    help: "Tasks that failed at their last try and will be retried, by queue",
  });
  const budget = level(registry, ["api"], {
    name: "rackbell_platform_budget_left_ratio",
    help: "Smallest share of calls left this hour of any key, from 0 to 1; 1 if no share is known",
  });
  const drifted = level(registry, [], {
    name: "rackbell_operations_without_route",
    help: "Operations for which the platform no longer offers a route",
  });

  return {
    storeUp: (up: boolean) => storeUp.set(up ? 1 : 0),
    requestsOpen: (state: string, count: number) => requests.set({ state }, count),
    followUpsRunning: (count: number) => following.set(count),
    cardsUndelivered: (count: number) => undelivered.set(count),
    queued(queue: string, waiting: Waiting): void {
      depth.set({ queue }, waiting.depth);
      age.set({ queue }, waiting.ageSeconds);
      if (waiting.failing !== undefined) failing.set({ queue }, waiting.failing);
    },
    budgetLeft: (api: string, ratio: number) => budget.set({ api }, ratio),
    operationsWithoutRoute: (count: number) => drifted.set(count),
    /** Clears the gauges before they are set again, so that a value without a source disappears. */
    forgetLevels(): void {
      for (const labelled of [requests, depth, age, failing, budget]) labelled.reset();
      for (const single of [following, undelivered]) single.remove();
    },
  };
}

function counter<L extends string>(registry: Registry, labelNames: L[], named: { name: string; help: string }) {
  return new Counter({ ...named, labelNames, registers: [registry] });
}

function level<L extends string>(registry: Registry, labelNames: L[], named: { name: string; help: string }) {
  return new Gauge({ ...named, labelNames, registers: [registry] });
}
