import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Request } from "../../requests/request.ts";
import { requestStatus } from "./status.ts";

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
