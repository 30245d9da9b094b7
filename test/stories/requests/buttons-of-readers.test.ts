import { expect, test } from "vitest";
import { controlsOf } from "../../../src/sandbox/slack/blocks/controls.ts";
import type { View } from "../../../src/sandbox/slack/server.ts";
import { rest } from "../rest.ts";
import { type Actor, goAhead, type Message, peer, type Story, type StoryOptions, startStory } from "../story.ts";
import { answered, toldTo } from "../told.ts";

/** The refusals that say that somebody else may do it. */
const forSomebodyElse =
  /Only <@\w+>(?:, who|, an approver| or an admin| can press this)|Only an admin|You asked for this|You wanted this|cannot see|same platform user|An admin other than|approved this already|has to approve/;

/** The places that have buttons for one reader alone. */
const places: Record<string, (story: Story, actor: Actor) => Promise<Message | View | null>> = {
  async list(story, actor) {
    return story.ask(actor, "/rackbell approvals", /Open requests|There are no open requests that you can see/);
  },
  async schedules(story, actor) {
    return story.ask(actor, "/rackbell scheduled", /soonest first|There are no scheduled acts that you can see/);
  },
  async home(story, actor) {
    await answered(story, actor, () => actor.openHome());
    return actor.home() ?? null;
  },
  async details(story, actor) {
    const list = await story.ask(
      actor,
      "/rackbell approvals",
      /Open requests|There are no open requests that you can see/,
    );
    if (!controlsOf(list.blocks).some(({ action_id }) => action_id === "request:details")) return null;
    await answered(story, actor, () => actor.press(list, { actionId: "request:details" }));
    return actor.modal() ?? null;
  },
};

/** All that the actor sees: the outcome of some presses shows in the channel alone. */
function all(actor: Actor): string {
  return toldTo(actor) + JSON.stringify(actor.sees("#ops"));
}

interface Case {
  options: StoryOptions;
  /** Makes one request of ben's. */
  make: (story: Story, machine: string) => Promise<unknown>;
  /** The buttons of these readers, in the order ana (an admin), ben, caro, dave (who may only read). */
  buttons: [string, string, string, string];
}

const cases: Record<string, Case> = {
  "that its requester confirms": {
    options: {},
    make: (story, machine) => story.ask(story.ben, `/vps cancel ${machine}`, "asks to"),
    buttons: ["withdraw", "move press withdraw", "", ""],
  },
  "that others approve": {
    options: { environment: peer },
    make: (story, machine) => story.ask(story.ben, `/vps cancel ${machine}`, "asks to"),
    buttons: ["defer deny press withdraw", "choose-backup move withdraw", "defer deny press", ""],
  },
  "that has one of two approvals, and an override": {
    options: { rules: ["demand=two-approvals risk=destroy glass=yes"] },
    async make(story, machine) {
      const request = await story.ask(story.ben, `/vps cancel ${machine}`, "asks to");
      await story.pressing(story.caro, request, goAhead, "1 of 2");
    },
    buttons: ["defer deny override press withdraw", "choose-backup move withdraw", "defer deny", ""],
  },
  "that is scheduled": {
    options: { environment: peer },
    async make(story, machine) {
      const request = await story.ask(story.ben, `/vps cancel ${machine} in=3h`, "asks to");
      await story.pressing(story.caro, request, goAhead, "It is scheduled for");
    },
    buttons: ["withdraw", "move withdraw", "withdraw", ""],
  },
};

/** The presses that end the wait of a request. */
const final = ["request:press", "request:copy", "request:withdraw"];

test.each(Object.entries(cases))(
  "a reader of a request %s has the buttons that they may press, and no other",
  async (_, one) => {
    const story = await startStory({ linked: ["ana", "ben", "caro", "dave"], ...one.options });
    const { ana, ben, caro, dave, platform } = story;
    platform.addVps(40, "fleet");
    let made = 0;
    const makeNext = () => {
      made += 1;
      return one.make(story, `fleet-${String(made).padStart(5, "0")}`);
    };
    await makeNext();
    for (const [at, actor] of [ana, ben, caro, dave].entries()) {
      const offered = new Set<string>();
      for (const [place, show] of Object.entries(places)) {
        const idsIn = (shown: Message | View | null) =>
          controlsOf(shown?.blocks ?? [])
            .map(({ action_id }) => action_id)
            .filter((id) => id.startsWith("request:") && id !== "request:details");
        for (const actionId of idsIn(await show(story, actor))) {
          // Not each machine can be captured first.
          if (actionId !== "request:copy") offered.add(actionId.replace("request:", ""));
          const where = await show(story, actor);
          if (!where) throw new Error(`${place} is gone`);
          const before = new Set(actor.sees("#ops").map((message) => JSON.stringify(message)));
          await answered(story, actor, () => actor.press(where, { actionId }), all);
          // A modal may follow what the channel shows.
          while (!(await rest(200)));
          const said = [
            JSON.stringify(actor.modal() ?? ""),
            ...actor.sees("#ops").map((message) => JSON.stringify(message)),
          ];
          for (const text of said.filter((each) => !before.has(each)))
            expect(text, `${actor.user.name}: ${actionId} in ${place}`).not.toMatch(forSomebodyElse);
          if (actor.modal()) await actor.closeModal({ all: true });
          if (final.includes(actionId)) await makeNext();
        }
      }
      expect([...offered].sort().join(" "), actor.user.name).toBe(one.buttons[at]);
    }
  },
);
