import { describe, expect, test } from "vitest";
import type { Call } from "../../../src/sandbox/slack/workspace/workspace.ts";
import { ownRedis } from "../../storage/redis/opened.ts";
import { hasRedis } from "../../storage/redis/server.ts";
import { rest } from "../rest.ts";
import { type Actor, startStory } from "../story.ts";
import { type TwoInstances, withOther } from "../two-instances.ts";

/** Two instances of the app on a Redis of their own. */
async function startTwo(linked: ("ana" | "ben" | "caro")[] = ["ana"]): Promise<TwoInstances> {
  const redis = await ownRedis();
  return withOther(await startStory({ linked, mode: "http", environment: { STORE_URL: redis.url } }));
}

function homeOf(actor: Actor): string {
  return JSON.stringify(actor.home() ?? "");
}

async function openWhole({ slack }: TwoInstances, actor: Actor): Promise<void> {
  const drawn = slack.calls("views.publish").length;
  const isWhole = ({ outcome, args }: Call) => outcome === "ok" && !JSON.stringify(args).includes("Not read yet");
  await actor.openHome();
  await slack.until(() => slack.calls("views.publish").slice(drawn).some(isWhole), "Home to be shown whole");
  await rest(1_000);
}

describe.runIf(hasRedis)("of two instances on one Redis", () => {
  test("the one that draws Home shows what the other has read since by Refresh", async () => {
    const story = await startTwo();
    const { ana, platform, slack, clock, toOne, toOther } = story;
    for (const turn of [toOther, toOne]) {
      turn();
      await openWhole(story, ana);
    }
    platform.change("web-1", { status: "suspended", name: "a-1" });
    // Old enough for a press, and not for an opening.
    clock.skip(60_000);
    await ana.press("home", "Refresh");
    await slack.until(() => homeOf(ana).includes("`a-1`: *suspended*"), "Refresh to show what it has read");
    await rest(1_000);
    toOther();
    await openWhole(story, ana);
    await slack.until(() => homeOf(ana).includes("`a-1`: *suspended*"), "the other instance to show it, too");
  });

  test("the one whose drawing of Home Slack put off does not put it in place of the newer one, which shows the answers of both", async () => {
    const story = await startTwo();
    const { ana, slack, clock, toOther } = story;
    await openWhole(story, ana);
    slack.faults.fail("views.open", "expired_trigger_id", 2);
    slack.faults.rateLimit("views.publish", 10);
    const before = slack.calls("views.publish").length;
    await ana.choose("home", "List…", "/project list");
    await slack.until(() => slack.calls("views.publish").length > before, "the first drawing to be put off");
    toOther();
    await ana.choose("home", "List…", "/image list");
    const hasBoth = (home: string) => ["4 projects", "5 images"].every((text) => home.includes(text));
    await slack.until(() => hasBoth(homeOf(ana)), "Home to show both answers");
    await rest(1_000);
    const drawn = slack.calls("views.publish").length;
    clock.skip(11_000);
    await rest(1_000);
    // The newer drawing may catch up with what was read since, and shows both answers again.
    const later = slack.calls("views.publish").slice(drawn);
    expect(later.filter(({ args }) => !hasBoth(JSON.stringify(args)))).toEqual([]);
    expect(hasBoth(homeOf(ana))).toBe(true);
  });

  test.each([
    { from: "the first", order: [0, 1], sent: ["hash_conflict", "ok", "ok"] },
    { from: "the second", order: [1, 0], sent: ["hash_conflict", "ok"] },
  ])(
    "each gets one of two choices in a form: its sentence is of the second, if $from comes to Slack first",
    async ({ order, sent }) => {
      const story = await startTwo(["ana", "ben", "caro"]);
      const { ana, slack, toOther } = story;
      const outcomes = () => slack.calls("views.update").map(({ outcome }) => outcome);
      await ana.type("/rackbell policy add");
      await story.modal(ana, "For which commands");
      await ana.fill({ Needs: "It is not allowed" });
      await story.modal(ana, "Everything: is not allowed.");
      const before = outcomes().length;
      const release = [slack.faults.hangApi("views.update", 1), slack.faults.hangApi("views.update", 1)];
      await ana.fill({ Needs: "One approval" });
      await slack.until(() => outcomes().length === before + 1, "the update of the first choice");
      toOther();
      await ana.fill({ Needs: "Two approvals" });
      await slack.until(() => outcomes().length === before + 2, "the update of the second choice");
      for (const each of order) {
        release[each]?.();
        await slack.until(() => /ok|conflict/.test(String(outcomes()[before + each])), "the end of an update");
      }
      await story.modal(ana, "*This means:* Everything: needs two approvals.");
      await rest(1_000);
      expect(outcomes().slice(before).sort()).toEqual(sent);
    },
  );
});
