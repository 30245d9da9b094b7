import { describe, expect, test } from "vitest";
import { powerProgress, powerReconciled, powersFor, stateWordIn } from "../../src/operations/kits/game-power.ts";

const actions = ["start", "stop", "restart", "kill"] as const;
const after = { start: "running", stop: "stopped", restart: "running", kill: "stopped" } as const;
const words = { running: "running", Online: "running", offline: "stopped", Stopped: "stopped" } as const;
const progressOf = (word: string | null, action: (typeof actions)[number]) =>
  powerProgress({ name: "arena-1", word, action, steps: [] });

describe.each(actions)("after %s", (action) => {
  test.each(Object.entries(words))("a server that its module calls %s is shown as what it is", (word, state) => {
    const progress = progressOf(word, action);
    expect(progress.state).toBe(state === after[action] ? "done" : "working");
    if (progress.state === "done") expect(progress.text).toContain(state);
    else expect(progress.text).toContain(`\`${word}\``);
    // Running before and after: nothing shows that it restarted.
    expect(progress.endUnknown ?? false).toBe(progress.state === "done" && action === "restart");
    const found = powerReconciled("arena-1", word, action).is;
    expect(found).toBe(action === "restart" ? "unsure" : state === after[action] ? "done" : "not done");
  });

  test("a module that names no state, or names it in a word of its own, ends the tracking and claims nothing", () => {
    for (const word of [null, "hibernating", "active"]) {
      expect(progressOf(word, action)).toMatchObject({ state: "done", endUnknown: true });
      expect(powerReconciled("arena-1", word, action).is).toBe("unsure");
      if (word !== null) expect(progressOf(word, action).text).toContain(`\`${word}\``);
    }
  });

  test("a server on its way is tracked on", () => {
    expect(progressOf("starting", action)).toMatchObject({ state: "working" });
  });
});

test("no power action is offered that leads to the state that is there", () => {
  for (const [word, state] of Object.entries(words))
    for (const action of powersFor(word)) expect(action === "restart" || after[action] !== state).toBe(true);
  expect(powersFor("stopped")).toEqual(["start"]);
  for (const word of [null, "hibernating", "starting"]) expect(powersFor(word)).toEqual([...actions].toSorted(byOrder));
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
