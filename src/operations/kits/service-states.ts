import { Gone, NotYet, Refusal } from "../../operation/errors.ts";
import { InstanceState, ServiceStatus } from "../../platform/customer/states.ts";
import { type ServiceStage, serviceStage, serviceStatuses, unlistedStatus } from "../../platform/service-stage.ts";
import { ownValue } from "../../process/own-value.ts";
import { stateWords } from "../../views/values.ts";

/** All states of a service, in words (spec section 3.1). */
export const serviceStates = ServiceStatus.options.map(stateWords);

/** True in the states without a way back. */
export function isEndState(status: string | undefined): boolean {
  return serviceStage(status) === "ended";
}

/** Each stage of a service as people see it: its mark, and what somebody should look at, which most have not. */
const looks: Record<ServiceStage, { mark: string; trouble?: string }> = {
  starting: { mark: ":hourglass_flowing_sand:" },
  // Green means a running machine, and this is the billing state alone.
  active: { mark: ":large_blue_circle:" },
  suspended: { mark: ":no_entry:", trouble: "suspended" },
  failed: { mark: ":red_circle:", trouble: "its build failed" },
  withheld: { mark: ":no_entry:", trouble: "withheld by the platform" },
  ended: { mark: ":black_circle:" },
};

/** The problem of a service in this state; nothing in most. `billed`: the words after "suspended" for a service that is resold. */
export function troubleIn(status: string | undefined, billed = ""): { trouble?: string } {
  if (unlistedStatus(status).length > 0) return { trouble: "in a state that Rackbell does not know" };
  const stage = serviceStage(status);
  const trouble = stage && looks[stage].trouble;
  return trouble ? { trouble: stage === "suspended" ? `${trouble}${billed}` : trouble } : {};
}

/** The refusal of every act on the machine of an own service that is neither active nor of an unlisted state. `name`: as mrkdwn. Spec section 5. */
export function stageRefusal(status: string | undefined, name: string): Refusal | null {
  const stage = serviceStage(status);
  if (status === undefined || stage === null || stage === "active") return null;
  const state = stateWords(status);
  if (stage === "starting")
    return new NotYet(
      `${name} is ${state}: the platform has not built it yet. Nothing changed. Try again when it is built.`,
    );
  const words = `${name} is ${state}, so no action on it is possible.`;
  return stage === "ended" ? new Gone(words, "Nothing changed.") : new Refusal(`${words} Nothing changed.`);
}

/** The line on the card of an own service in this state; null in most. */
const lines: Record<ServiceStatus, string | null> = {
  pending_payment: ":receipt: The platform builds it once its document is paid.",
  pending: null,
  installing: null,
  active: null,
  suspended: ":no_entry: It is suspended: it cannot be started or changed, and is still there.",
  terminated: null,
  provisioning_failed: null,
  cancelled: null,
};

export function stateLine(status: string | undefined): string | null {
  return ownValue(lines, status ?? "") ?? null;
}

const marks: Record<string, string> = {
  ...Object.fromEntries(
    serviceStatuses.flatMap((status) => {
      const stage = serviceStage(status);
      return stage ? [[stateWords(status), looks[stage].mark]] : [];
    }),
  ),
  "of unknown state": ":white_circle:",
};

/** The mark of a state in words; a question mark for one that no spec lists. */
export function stateMark(state: string): string {
  return ownValue(marks, state) ?? ":grey_question:";
}

/**
 * Each state of a machine: its mark, and the acts that its host takes. `stuck`: a start, a restart or the rescue system may bring it back;
 * `busy`: no act begins before the platform has ended its own work; `lost`: the host does not know it, or erases it. Sections 3.2 and 5.
 */
const machines: Record<InstanceState, { mark: string; takes: "on" | "off" | "stuck" | "busy" | "lost" }> = {
  creating: { mark: ":hourglass_flowing_sand:", takes: "busy" },
  running: { mark: ":large_green_circle:", takes: "on" },
  stopped: { mark: ":white_circle:", takes: "off" },
  paused: { mark: ":large_yellow_circle:", takes: "stuck" },
  migrating: { mark: ":hourglass_flowing_sand:", takes: "busy" },
  error: { mark: ":red_circle:", takes: "stuck" },
  orphaned: { mark: ":red_circle:", takes: "lost" },
  terminated_pending_wipe: { mark: ":hourglass_flowing_sand:", takes: "lost" },
};

/** All states of a machine, in words (spec section 3.2). */
export const machineStates = InstanceState.options.map(stateWords);

/** The acts that a machine's host takes in this state. Null: it is not shown, or no spec lists it. */
export function machineTakes(state: string | null | undefined) {
  return ownValue(machines, state ?? "")?.takes ?? null;
}

const machineMarks: Record<string, string> = Object.fromEntries(
  Object.entries(machines).map(([state, { mark }]) => [stateWords(state), mark]),
);

/** The mark of a machine's state in words, or of the billing state of a service without one. */
export function machineMark(state: string): string {
  return ownValue(machineMarks, state) ?? stateMark(state);
}
