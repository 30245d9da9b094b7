import { describe, expect, test } from "vitest";
import { gamePower, powersFor, stateWordIn } from "../../src/operations/kits/game-power.ts";
import { progressOf, reconciledBy } from "../../src/operations/kits/power.ts";

const actions = ["start", "stop", "restart", "kill"] as const;
const after = { start: "running", stop: "stopped", restart: "running", kill: "stopped" } as const;
const words = { running: "running", Online: "running", offline: "stopped", Stopped: "stopped" } as const;
const progressIn = (word: string | null, action: (typeof actions)[number]) =>
  progressOf("`arena-1`", gamePower(word), { action, waited: 0 });
const outcomeIn = (word: string | null, action: (typeof actions)[number]) =>
  reconciledBy("`arena-1`", gamePower(word), action).is;

describe.each(actions)("after %s", (action) => {
  test.each(Object.entries(words))("a server that its module calls %s is shown as what it is", (word, state) => {
    const progress = progressIn(word, action);
    expect(progress.state).toBe(state === after[action] ? "done" : "working");
    expect(progress.text).toContain(`is ${state}`);
    // Running before and after: nothing shows that it restarted.
    expect(progress.endUnknown ?? false).toBe(progress.state === "done" && action === "restart");
    const found = outcomeIn(word, action);
    expect(found).toBe(action === "restart" ? "unsure" : state === after[action] ? "done" : "not done");
  });

  test("a module that names no state, or names it in a word of its own, ends the tracking and claims nothing", () => {
    for (const word of [null, "hibernating", "active"]) {
      expect(progressIn(word, action)).toMatchObject({ state: "done", endUnknown: true });
      expect(outcomeIn(word, action)).toBe("unsure");
      if (word !== null) expect(progressIn(word, action).text).toContain(`\`${word}\``);
    }
  });

  test("a server on its way is tracked on", () => {
    expect(progressIn("starting", action)).toMatchObject({ state: "working" });
  });
});

test("no power action is offered that leads to the state that is there", () => {
  for (const [word, state] of Object.entries(words))
    for (const action of powersFor(gamePower(word).power))
      expect(action === "restart" || after[action] !== state).toBe(true);
  expect(powersFor("stopped")).toEqual(["start"]);
  for (const word of [null, "hibernating", "starting"])
    expect(powersFor(gamePower(word).power)).toEqual([...actions].toSorted(byOrder));
});

function byOrder(one: string, other: string): number {
  const order = ["start", "restart", "stop", "kill"];
  return order.indexOf(one) - order.indexOf(other);
}

test.each([
  [{ server: { state: "running", players: 3 } }, "running"],
  [{ server: { title: "Craft" }, status: "offline" }, "offline"],
  [{ power_state: "on" }, "on"],
  [{ server: { state: 3 } }, null],
  [{ server: [{ state: "running" }] }, null],
  ["running", null],
  [null, null],
])("the word for the state is found in %j as %s", (document, word) => {
  expect(stateWordIn(document)).toBe(word);
});
