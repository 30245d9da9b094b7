import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

/** The number of waiting items in a queue, and the age of the oldest in seconds. */
export interface Waiting {
  depth: number;
  ageSeconds: number;
  /** How many items failed at their last try and will be retried. */
  failing?: number;
}

interface PlatformCall {
  api: string;
  route: string;
  /** Absent if no answer came. */
  status?: number;
  /** The name of the error that the call ended with. */
  error?: string;
  ms: number;
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
  const registers = [registry];
  const counter = <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = <L extends string = never>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new Histogram({ name, help, buckets, labelNames, registers });

  const counts = {
    commands: counter("rackbell_commands_total", "Commands that were run, by outcome", ["command", "outcome"]),
    acknowledgement: histogram(
      "rackbell_acknowledgement_seconds",
      "From the arrival of a command or press to Slack's receipt of its acknowledgement; Slack waits 3 s",
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
    ),
    auditEntries: counter("rackbell_audit_entries_total", "Decisions and runs, by outcome", ["what"]),
    deliveries: counter(
      "rackbell_deliveries_total",
      "Webhook deliveries of the platform, by outcome: kept, known (stored before), or the reason of the refusal",
      ["outcome"],
    ),
    logScrubs: counter(
      "rackbell_log_scrubs_total",
      "Log lines from which the last guard removed a secret: each is a leak to fix",
    ),

    platformCalls: histogram(
      "rackbell_platform_call_seconds",
      "Calls of the platform, by API, by route as in the spec, and by status or kind of failure",
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      ["api", "route", "status"],
    ),
    platformErrors: counter(
      "rackbell_platform_errors_total",
      "Calls of the platform that failed, by API and kind: refused, unanswered, too late, off contract",
      ["api", "kind"],
    ),

    slackCalls: counter(
      "rackbell_slack_calls_total",
      "Calls of Slack's Web API and of response URLs, by outcome: ok, refused, rate limited, unanswered",
      ["method", "outcome"],
    ),
    slackRefusals: counter("rackbell_slack_refusals_total", "Calls that Slack refused, by Slack's reason", [
      "method",
      "reason",
    ]),
    slackRequestsRefused: counter(
      "rackbell_slack_requests_refused_total",
      "Refused requests to the address for Slack, by reason: a wrong signature, another workspace, too large",
      ["kind"],
    ),
  };
  /** Values at the moment of the read. */
  const levels = {
    storeUp: gauge(
      "rackbell_store_up",
      "1 if the store answers, 0 if not. Without an answer, metrics about stored data are left out",
    ),
    requestsOpen: gauge(
      "rackbell_requests_open",
      "Open requests, by state: awaiting a decision (pending), running (claimed), outcome unknown (unknown)",
      ["state"],
    ),
    followUpsRunning: gauge("rackbell_follow_ups_running", "Jobs on the platform that Rackbell tracks"),
    cardsUndelivered: gauge("rackbell_cards_undelivered", "Alerts that Slack accepts in no channel"),
    queueDepth: gauge("rackbell_queue_depth", "Due tasks that wait, by queue", ["queue"]),
    queueAge: gauge("rackbell_queue_age_seconds", "Age of the oldest waiting task, by queue", ["queue"]),
    queueFailing: gauge("rackbell_queue_failing", "Tasks that failed at their last try and will be retried, by queue", [
      "queue",
    ]),
    budgetLeft: gauge(
      "rackbell_platform_budget_left_ratio",
      "Smallest share of calls left this hour of any key, from 0 to 1; 1 if no share is known",
      ["api"],
    ),
    slackConnections: gauge(
      "rackbell_slack_connections",
      "Socket Mode: connections of the app that Slack counted last (counted), instances then (expected), and those too many (dead)",
      ["kind"],
    ),
    slackChecks: gauge(
      "rackbell_slack_checks",
      "Socket Mode: the newest checks of the socket, by outcome: Slack brought the payload at once (arrived), at its second try (repeated), or not (lost)",
      ["outcome"],
    ),
    operationsWithoutRoute: gauge(
      "rackbell_operations_without_route",
      "Operations for which the platform no longer offers a route",
    ),
  };
  const reasons = new Set<string>();

  return {
    registry,
    ...counts,
    ...levels,
    countPlatformCall({ api, route, status, error, ms }: PlatformCall): void {
      const kind = error === undefined ? undefined : (failureKinds[error] ?? "other");
      if (kind !== undefined) counts.platformErrors.inc({ api, kind });
      counts.platformCalls.observe({ api, route, status: String(status ?? kind ?? "none") }, ms / 1_000);
    },
    countSlackCall({ method, outcome, reason }: { method: string; outcome: string; reason?: string }): void {
      counts.slackCalls.inc({ method, outcome });
      if (reason === undefined) return;
      if (reasons.size < mostReasons) reasons.add(reason);
      counts.slackRefusals.inc({ method, reason: reasons.has(reason) ? reason : "other" });
    },
    setQueue(queue: string, { depth, ageSeconds, failing }: Waiting): void {
      levels.queueDepth.set({ queue }, depth);
      levels.queueAge.set({ queue }, ageSeconds);
      if (failing !== undefined) levels.queueFailing.set({ queue }, failing);
    },
    /** Clears the levels before they are set again, so that a value without a source disappears. */
    forgetLevels(): void {
      const { requestsOpen, queueDepth, queueAge, queueFailing, budgetLeft, slackConnections, slackChecks } = levels;
      const ofQueues = [queueDepth, queueAge, queueFailing];
      for (const labelled of [requestsOpen, ...ofQueues, budgetLeft, slackConnections, slackChecks]) labelled.reset();
      for (const single of [levels.followUpsRunning, levels.cardsUndelivered]) single.remove();
    },
  };
}
