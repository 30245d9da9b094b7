import { expect, test } from "vitest";
import { guidePages, guideText } from "../../../src/guide/guide.ts";
import { pathsOf } from "../bulk/machines.ts";
import { billOf, offered } from "../ordering.ts";
import { cards, passRound, read } from "../polled.ts";
import { type Actor, goAhead, peer, type Story, startStory } from "../story.ts";

// Each task is played, and all presses beside the one typed line are counted. The guide's table has these figures.

/** Counts presses, choices, sent forms and confirmed dialogs. A message's own menu is one press, and the choice in it another. */
function counting(actor: Actor): { actor: Actor; presses: () => number } {
  let presses = 0;
  const counted: Actor = {
    ...actor,
    async press(where, target, options) {
      const pressed = await actor.press(where, target, options);
      presses += pressed.confirm ? 2 : 1;
      return pressed;
    },
    choose(where, target, choice, options) {
      presses += 2;
      return actor.choose(where, target, choice, options);
    },
    submit() {
      presses += 1;
      return actor.submit();
    },
    shortcut(callbackId, message) {
      presses += 2;
      return actor.shortcut(callbackId, message);
    },
  };
  return { actor: counted, presses: () => presses };
}

interface Task {
  /** As the guide's table names it. */
  task: string;
  /** The most that it may need. */
  goal: number;
  /** The one line; empty if nothing is typed. */
  typed: string;
  /** Plays it to its end, and returns the presses. */
  play: (typed: string) => Promise<number>;
}

const tasks: Task[] = [
  {
    task: "See the state of a machine",
    goal: 0,
    typed: "/vps show web-1",
    async play(typed) {
      const story = await startStory({ linked: ["ana"] });
      const { presses } = counting(story.ana);
      await story.ask(story.ana, typed, "is running");
      return presses();
    },
  },
  {
    task: "List machines",
    goal: 0,
    typed: "/vps list",
    async play(typed) {
      const story = await startStory({ linked: ["ana"] });
      const { presses } = counting(story.ana);
      await story.ask(story.ana, typed, "VPSes", "web-1");
      return presses();
    },
  },
  {
    task: "Restart a machine",
    goal: 1,
    typed: "/vps reboot web-1",
    async play(typed) {
      const story = await startStory({ linked: ["ana"] });
      const { actor, presses } = counting(story.ana);
      const question = await story.ask(actor, typed, "Reboot `web-1`?");
      await actor.press(question, "Reboot web-1");
      await story.slack.until(() => sent(story, "POST").length === 1, "the reboot");
      return presses();
    },
  },
  {
    task: "See its usage",
    goal: 0,
    typed: "/vps usage web-1",
    async play(typed) {
      const story = await startStory({ linked: ["ana"] });
      const { presses } = counting(story.ana);
      await story.ask(story.ana, typed, "CPU");
      return presses();
    },
  },
  {
    task: "See its usage, from its card",
    goal: 1,
    typed: "",
    async play() {
      const story = await startStory({ linked: ["ana"] });
      const card = await story.ask(story.ana, "/vps show web-1", "is running");
      const { actor, presses } = counting(story.ana);
      await story.pressing(actor, card, "Usage", "CPU");
      return presses();
    },
  },
  {
    task: "Start a stopped machine, from its alert",
    goal: 1,
    typed: "",
    async play() {
      const story = await read();
      await passRound(story);
      story.platform.change("web-1", { instance: { state: "stopped" } });
      await passRound(story, { minutes: 6 });
      const alert = await story.sees(story.ana, "The machine of `web-1.example.test` has stopped", "Start");
      const { actor, presses } = counting(story.ana);
      await actor.press(alert, "Start");
      await story.passes(() => cards(story, "The machine of `web-1.example.test` runs")[0], "it runs");
      return presses();
    },
  },
  {
    task: "Restart a machine, from another tool's alert (*Act on this*)",
    goal: 4,
    typed: "",
    async play() {
      const story = await startStory({ linked: ["ana"] });
      const { actor, presses } = counting(story.ana);
      const alert = story.slack.postAs("alerts", "ops", { text: "FIRING: `web-1` does not answer" });
      await actor.shortcut("act_on_this", alert);
      await story.modal(actor, "is running", "Reboot");
      await actor.press("modal", "Reboot");
      await story.slack.until(() => sent(story, "POST").length === 1, "the reboot");
      return presses();
    },
  },
  {
    task: "Reinstall a machine, with your own confirmation",
    goal: 2,
    typed: '/vps reinstall web-2 image="Debian 13"',
    async play(typed) {
      const story = await startStory({ linked: ["ana"] });
      const { actor, presses } = counting(story.ana);
      await actor.press(await story.ask(actor, typed, "asks to", "Reinstall `web-2`"), goAhead);
      await story.slack.until(() => sent(story, "POST").length === 1, "the reinstall");
      return presses();
    },
  },
  {
    task: "Reinstall a machine that somebody else must approve",
    goal: 0,
    typed: '/vps reinstall web-2 image="Debian 13"',
    async play(typed) {
      const story = await startStory({ linked: ["ana", "ben"], environment: peer });
      const { actor, presses } = counting(story.ana);
      await story.ask(actor, typed, "asks to", "Reinstall `web-2`");
      return presses();
    },
  },
  {
    task: "Approve that",
    goal: 2,
    typed: "",
    async play() {
      const story = await startStory({ linked: ["ana", "ben"], environment: peer });
      await story.ana.type('/vps reinstall web-2 image="Debian 13"');
      const { actor, presses } = counting(story.ben);
      await actor.press(await story.sees(actor, "asks to", "Reinstall `web-2`"), goAhead);
      await story.slack.until(() => sent(story, "POST").length === 1, "the reinstall");
      return presses();
    },
  },
  {
    task: "Read its new password",
    goal: 2,
    typed: "",
    async play() {
      const story = await startStory({ linked: ["ana"] });
      await story.ana.type('/vps reinstall web-2 image="Debian 13"');
      await story.ana.press(await story.sees(story.ana, "asks to", "Reinstall `web-2`"), goAhead);
      const offer = await story.comesToSeeIn("dm", story.ana, "only you can open it");
      const { actor, presses } = counting(story.ana);
      await actor.press(offer, "Reveal");
      await story.modal(actor, "```", '"submit":{');
      await actor.submit();
      return presses();
    },
  },
  {
    task: "Take a snapshot",
    goal: 0,
    typed: "/vps snapshot web-1 name=before-release",
    async play(typed) {
      const story = await startStory({ linked: ["ana"] });
      const { presses } = counting(story.ana);
      await story.ask(story.ana, typed, "before-release");
      return presses();
    },
  },
  {
    task: "Order a server and pay for it",
    goal: 5,
    typed: '/order new "VPS M" cycle=monthly location=Frankfurt hostname=shop-1.example.com image="Ubuntu 26.04 LTS"',
    async play(typed) {
      const story = await startStory({ linked: ["ana"] });
      const { actor, presses } = counting(story.ana);
      const review = await story.ask(actor, typed, "Order for 17.00 EUR before tax", "Not now");
      await actor.press(review, goAhead);
      await actor.press(await offered(story, actor, "Pay…"), "Pay…");
      await actor.press(await story.sees(actor, "Pay 20.57 EUR"), goAhead);
      await story.comesToSee(actor, "is being installed");
      return presses();
    },
  },
  {
    task: "Pay an invoice",
    goal: 2,
    typed: "/billing pay INV-…",
    async play() {
      const story = await startStory({ linked: ["ana"] });
      const { actor, presses } = counting(story.ana);
      const { number } = story.platform.bill("Colocation", 1_000);
      const review = await story.ask(actor, `/billing pay ${number}`, "from the credit balance");
      await actor.press(review, goAhead);
      await story.passes(() => billOf(story, "Colocation").payments.length > 0, "it is paid");
      return presses();
    },
  },
  {
    task: "Restart three machines",
    goal: 2,
    typed: "/vps reboot web-1 web-2 db-1",
    async play(typed) {
      const story = await startStory({ linked: ["ana"] });
      const { actor, presses } = counting(story.ana);
      await actor.press(await story.ask(actor, typed, "For each of 3 VPSes"), goAhead);
      await story.comesToSee(actor, "All 3 are done");
      return presses();
    },
  },
  {
    task: "Restart the one that failed again",
    goal: 1,
    typed: "",
    async play() {
      const story = await startStory({ linked: ["ana"] });
      const { ana, platform } = story;
      const refused = { status: 409, body: { success: false, code: "CONFLICT", error: "The machine is being built" } };
      platform.faults.next({ how: refused, method: "POST", path: pathsOf(story, "reboot", "web-2")[0] ?? "" });
      await ana.press(await story.ask(ana, "/vps reboot web-1 web-2 db-1", "For each of 3 VPSes"), goAhead);
      const ended = await story.comesToSee(ana, "1 failed", "Try the failed ones again");
      const { actor, presses } = counting(ana);
      await actor.press(ended, "Try the failed ones again");
      await story.comesToSee(ana, "is done");
      return presses();
    },
  },
];

function sent({ platform }: Story, wanted: string) {
  return platform.calls().filter(({ method }) => method === wanted);
}

/** The rows of the guide's table: the task, what is typed, and the presses. */
const rows = guidePages
  .filter(({ name }) => name === "presses")
  .flatMap((page) => [...guideText(page).matchAll(/^\| (.+?) \| (.+?) \| (\d+) \|$/gm)])
  .map(([, task, typed, presses]) => ({ task, typed, presses: Number(presses) }));

test.each(tasks)(
  "$task: as many presses as the guide says, and no more than $goal",
  async ({ task, goal, typed, play }) => {
    const presses = await play(typed);
    expect(presses).toBeLessThanOrEqual(goal);
    expect(rows).toContainEqual({ task, typed: typed === "" ? "nothing" : `\`${typed}\``, presses });
  },
);

test("the guide's table of presses has these tasks, and no other", () => {
  expect(rows.map(({ task }) => task)).toEqual(tasks.map(({ task }) => task));
});
