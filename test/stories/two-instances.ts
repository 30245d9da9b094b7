import { onTestFinished } from "vitest";
import { type Running, startApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import { createLog } from "../../src/process/log.ts";
import type { Story } from "./story.ts";

export interface TwoInstances extends Story {
  other: Running;
  /** Slack posts to the one, or to the other, from now on. */
  toOne(): void;
  toOther(): void;
}

/**
 * A second instance beside that of a story in the same mode, on the same store. In HTTP mode `toOne` and `toOther` choose the one that Slack
 * posts to.
 */
export async function withOther(story: Story, mode: "http" | "socket" = "http"): Promise<TwoInstances> {
  const { slack } = story;
  const http = mode === "http" ? { SLACK_APP_TOKEN: "", SLACK_SIGNING_SECRET: slack.signingSecret } : {};
  const destination = { write: (line: string) => void story.log.push(line) };
  const other = await startApp({
    config: readConfig({ ...story.environment, ...http }),
    log: createLog({ level: "info", destination }),
    clock: story.clock,
  });
  onTestFinished(() => other.stop());
  return {
    ...story,
    other,
    toOne: () => slack.deliverTo(`${story.app.url}/slack/events`),
    toOther: () => slack.deliverTo(`${other.url}/slack/events`),
  };
}
