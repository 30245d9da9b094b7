import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import * as z from "zod";
import type { PracticeSlack } from "../../src/sandbox/slack/server.ts";

/** The calls of a story to the Web API, and the ids that mean something in its workspace alone. */
export const RecordedCalls = z.object({
  story: z.string(),
  users: z.record(z.string(), z.string()),
  channels: z.record(z.string(), z.object({ id: z.string(), isPrivate: z.boolean() })),
  bot: z.object({ team: z.string(), app: z.string(), bot: z.string(), user: z.string() }),
  calls: z.array(
    z.object({
      method: z.string(),
      args: z.record(z.string(), z.unknown()),
      outcome: z.string(),
      answer: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});
export type RecordedCalls = z.infer<typeof RecordedCalls>;

/** With RECORD_SLACK_CALLS, a folder, each story leaves there what it called: `npm run judges` asks another Slack the same. */
export function recordCalls(slack: PracticeSlack): void {
  const folder = process.env.RECORD_SLACK_CALLS;
  if (!folder) return;
  const { users, channels, teamId: team, appId: app, botId: bot, botUserId: user } = slack;
  const recorded: RecordedCalls = {
    story: expect.getState().currentTestName ?? "",
    users: Object.fromEntries(Object.entries(users).map(([name, { id }]) => [name, id])),
    channels: Object.fromEntries(
      Object.entries(channels).map(([name, { id, kind }]) => [name, { id, isPrivate: kind === "private" }]),
    ),
    bot: { team, app, bot, user },
    calls: slack.calls(),
  };
  writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(recorded));
}
