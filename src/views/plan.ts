import type { PlanBlock, TaskCardBlock } from "@slack/types";
import { characters, type PlainText } from "../process/plain-text.ts";
import { limits } from "./limits.ts";
import { clip, oneLine, prose } from "./text.ts";

/** One step of a long job. */
export interface Task {
  title: PlainText;
  status: TaskCardBlock["status"];
}

/** A long job with its steps, as Slack's plan block. */
export function plan(title: PlainText, tasks: Task[]): PlanBlock {
  const { plan: most } = limits;
  return {
    type: "plan",
    title: characters(clip(oneLine(title), most.title)),
    tasks: tasks.slice(0, most.tasks).map(
      (task, at): TaskCardBlock => ({
        type: "task_card",
        task_id: `task-${at + 1}`,
        title: characters(clip(oneLine(task.title), most.title)),
        status: task.status,
      }),
    ),
  };
}

const marks: Record<string, string> = {
  pending: ":white_circle:",
  in_progress: ":hourglass_flowing_sand:",
  complete: ":white_check_mark:",
  error: ":x:",
};

/** A plan as lines of mrkdwn, for workspaces without plan blocks. */
export function planLines({ title, tasks = [] }: PlanBlock): string[] {
  return [
    `*${prose(title)}*`,
    ...tasks.map(({ status, title: task }) => `${marks[String(status)]} ${prose(String(task))}`),
  ];
}
