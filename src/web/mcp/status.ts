import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "#zod";
import { characters } from "../../process/plain-text.ts";
import { withdraw } from "../../requests/decide.ts";
import { proposingSubject } from "../../requests/facets/agent/view.ts";
import { identityLine, lossText, type Request } from "../../requests/request.ts";
import { cellOf, type RequestState, states } from "../../requests/states.ts";
import { readRequest } from "../../requests/store.ts";
import { outcomeWords } from "../../requests/view.ts";
import { oneLine } from "../../views/text.ts";
import { type AgentCaller, agentOrigin, type McpApp } from "./app.ts";
import { AgentError, unmarkedText } from "./errors.ts";

/** A request as its agent sees it: the state in words, and the outcome as data. */
export const RequestStatus = z.object({
  request: z.string(),
  command: z.string(),
  /** All that is lost, interrupted or charged, as the people who decide read it. */
  loss: z.string(),
  target: z.string().nullable(),
  /** Its project, address, host name and location. */
  where: z.string(),
  state: z.string(),
  /** Nothing more will happen. */
  over: z.boolean(),
  /** True only if it was done as proposed. */
  done: z.boolean(),
  outcome: z.string(),
  advice: z.string(),
});
type RequestStatus = z.infer<typeof RequestStatus>;

/** The outcome says if nothing was done: a backup may exist. */
const stateWords: Record<RequestState, { state: string; advice?: string }> = {
  pending: { state: "waits for a decision" },
  scheduled: { state: "scheduled" },
  claimed: { state: "under way" },
  unknown: { state: "outcome unknown", advice: "Rackbell is checking the outcome. Do not propose it again." },
  working: { state: "under way" },
  done: { state: "done" },
  failed: { state: "failed" },
  left: { state: "outcome unknown", advice: "Do not propose it again. Read the resource." },
  refused: { state: "refused by the platform" },
  undone: { state: "not done", advice: "The platform did not refuse it. The outcome says why." },
  undecided: { state: "outcome unknown", advice: "Do not propose it again. Read the resource, and tell your owner." },
  expired: { state: "expired" },
  denied: { state: "denied", advice: "A person decided against it. Do not propose the same again." },
  withdrawn: { state: "withdrawn" },
  void: {
    state: "cancelled because something changed",
    advice: "Read the resource before you propose again.",
  },
};

export function requestStatus(request: Request): RequestStatus {
  const { id, command, target, state, endUnknown } = request;
  const { state: words, advice = "" } = stateWords[state];
  const unclear = state === "done" && endUnknown;
  return {
    request: id,
    command,
    loss: unmarkedText(lossText(request)),
    target: target && characters(oneLine(target.name)),
    where: unmarkedText(identityLine(request)),
    state: unclear ? "accepted; nobody can look up the outcome" : words,
    over: states[state].phase === "ended",
    done: state === "done" && !endUnknown,
    outcome: unmarkedText(outcomeWords(request)),
    advice,
  };
}

/** A request that this agent proposed. Any other id is unknown, whoever's it is. */
export async function ownRequest({ requests }: McpApp, { agent }: AgentCaller, id: string): Promise<Request> {
  const request = await readRequest(requests, id);
  if (request?.agent?.id === agent.id) return request;
  throw new AgentError("There is no request of yours with this id.");
}

/** Withdraws the agent's own request. One that is decided or over stays as it is. */
export async function withdrawFor(app: McpApp, caller: AgentCaller, id: string): Promise<Request> {
  const request = await ownRequest(app, caller, id);
  // A press that changes nothing is answered in Slack: an agent must not write to its member with that.
  // People call off their own decisions, whole or in part. An act that a rule let the agent schedule was decided by nobody.
  const isDecided = request.decidedBy !== null || request.approvals.length > 0 || request.unsettled !== null;
  if (!cellOf("withdraw", request) || isDecided) return request;
  await withdraw(app.requests, id, agentOrigin(caller.agent), proposingSubject(request));
  return ownRequest(app, caller, id);
}

/** The Tasks extension of the protocol (2026-07-28). */
export const tasksExtension = "io.modelcontextprotocol/tasks";

const pollIntervalMs = 5_000;

/** A request as a task. It is the request itself, so it survives what the request survives. */
function taskOf(request: Request) {
  const { over, state } = requestStatus(request);
  const cancelled = request.state === "withdrawn";
  return {
    taskId: request.id,
    status: cancelled ? ("cancelled" as const) : over ? ("completed" as const) : ("working" as const),
    statusMessage: state,
    createdAt: new Date(request.createdAt).toISOString(),
    lastUpdatedAt: new Date(request.changedAt).toISOString(),
    ttlMs: null,
    pollIntervalMs,
  };
}

/** The answer to a proposal for a client that takes tasks. */
export function createdTask(request: Request) {
  return { ...taskOf(request), resultType: "task", content: [] };
}

/** The answer to `tasks/get`: a completed task tells what really happened. */
export function detailedTask(request: Request) {
  const task = taskOf(request);
  return task.status === "completed" ? { ...task, result: toolResult(requestStatus(request)) } : task;
}

/** A result for programs, and the same as text for those that read text only. */
export function toolResult(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}
