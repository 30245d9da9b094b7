import { expect, test } from "vitest";
import type { Running } from "../../../src/app/app.ts";
import { said, startStory } from "../story.ts";

const counted = "Slack counted 4 connections of Rackbell";
const gone = "Slack has dropped the dead connections";

async function problemsOf(app: Running): Promise<string[]> {
  const answer = await fetch(`${app.url}/readyz`);
  const { problems }: { problems: string[] } = await answer.json();
  expect(answer.status).toBe(200);
  return problems;
}

async function figuresOf(app: Running): Promise<string[]> {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  return text.split("\n").filter((line) => line.startsWith("rackbell_slack_connections{"));
}

test("dead connections that Slack still counts are told to the admins once, are seen by the operator, and never make Rackbell connect anew", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { slack, app, ana } = story;
  const notices = (text: string) =>
    ana
      .sees("dm")
      .map(said)
      .filter((message) => message.includes(text));
  expect(await figuresOf(app)).toEqual([
    'rackbell_slack_connections{kind="counted"} 1',
    'rackbell_slack_connections{kind="expected"} 1',
    'rackbell_slack_connections{kind="dead"} 0',
  ]);
  expect(await problemsOf(app)).toEqual([]);

  slack.faults.holdGhosts(3);
  slack.faults.dropSocket();
  await slack.connected();
  await expect.poll(() => problemsOf(app)).toEqual([expect.stringContaining(counted)]);
  expect(await figuresOf(app)).toContain('rackbell_slack_connections{kind="counted"} 4');
  expect(notices(counted)).toEqual([]);
  const opened = slack.calls("apps.connections.open").length;
  await story.passes(() => notices(counted).length > 0, "the notice to the admin");
  expect(notices(counted)).toEqual([expect.stringContaining("HTTP mode has no such connections")]);
  // Slack spreads payloads over all that it counts.
  const lost = await Promise.all(
    [0, 1, 2, 3].map(() =>
      ana.type("/rackbell help").then(
        () => false,
        () => true,
      ),
    ),
  );
  expect(lost.filter(Boolean)).toHaveLength(3);
  expect(slack.calls("apps.connections.open")).toHaveLength(opened);

  // A refresh that still counts them tells nobody a second time.
  slack.faults.refreshSocket();
  await slack.connected();
  await story.passes(() => slack.calls("apps.connections.open").length > opened, "the refresh");
  await expect.poll(() => figuresOf(app)).toContain('rackbell_slack_connections{kind="dead"} 2');
  for (let minute = 0; minute < 10; minute += 1) {
    story.clock.skip(60_000);
    await figuresOf(app);
  }
  slack.faults.holdGhosts(0);
  slack.faults.refreshSocket();
  await story.passes(() => notices(gone).length > 0, "the end of it");
  expect(notices(counted)).toEqual([]);
  expect(notices(gone)).toHaveLength(1);
  expect(await problemsOf(app)).toEqual([]);
});

test("a refreshed socket that Slack counts twice for a moment alarms nobody", async () => {
  const { slack, app } = await startStory({ linked: ["ana"] });
  slack.faults.holdGhosts(1);
  slack.faults.refreshSocket();
  await expect.poll(() => figuresOf(app)).toContain('rackbell_slack_connections{kind="counted"} 2');
  expect(await figuresOf(app)).toContain('rackbell_slack_connections{kind="dead"} 0');
  expect(await problemsOf(app)).toEqual([]);
});
