import { expect, test } from "vitest";
import { isCard, isShow } from "../../../src/members/resources/finder.ts";
import { operations } from "../../../src/operations/index.ts";
import { sellsOn } from "../../examples.ts";
import { carryPrepared, isPrepared, prepareFor, startFor } from "../carrying.ts";
import { goAhead, type Story, writes } from "../story.ts";

// Every act that may destroy a resource which a member can protect: none runs before its name was typed, and the last button names the act.

const cards = operations.flatMap((operation) =>
  operation.api !== "app" && isShow(operation) && isCard(operation) ? [operation] : [],
);
const destroying = operations.flatMap((operation) => {
  if (operation.api === "app" || operation.risk !== "destroy" || operation.target === null) return [];
  const { api, target, example } = operation;
  const show = cards.find((one) => one.api === api && one.target?.noun === target.noun);
  return show?.target?.card ? [{ command: operation.command, typed: example, card: show.target.card }] : [];
});

async function checkAsks(story: Story, typed: string): Promise<void> {
  const { ana, slack } = story;
  const known = new Set(story.requests.keys());
  const request = () => [...story.requests.values()].find(({ id, state }) => !known.has(id) && state === "pending");
  const card = await carryPrepared(story, typed, goAhead);
  const found = request();
  const noun = destroying.find((one) => one.typed === typed)?.card.replace(/ show$/, "");
  if (found?.risk !== "destroy" || !found.target) return void expect.soft(found?.risk, typed).toBe("destroy");
  const before = writes(story).length;
  await story.ask(ana, `/rackbell protect "${noun} ${found.target.id}"`, /is protected (now|already)/);
  await ana.press(card, { actionId: goAhead });
  await story.modal(ana, `Type its name: ${String(found.target.name)}`);
  const [verb = ""] = String(found.review.press).split(" ");
  expect.soft(JSON.stringify(ana.modal()), typed).toMatch(new RegExp(`"submit":[^}]*"(Yes, )?${verb}`, "i"));
  await ana.fill({ [`Type its name: ${String(found.target.name)}`]: "another" });
  expect.soft(JSON.stringify(await ana.submit()), typed).toContain("That is not its name");
  await ana.closeModal({ all: true });
  expect.soft(writes(story).length, typed).toBe(before);
  await ana.press(card, { actionId: "request:withdraw" });
  await slack.until(() => story.requests.get(found.id)?.state === "withdrawn", `${typed} to be withdrawn`);
  story.clock.skip(5_000);
}

const unprepared = destroying.map(({ typed }) => typed).filter((typed) => !isPrepared(typed));

test.each([
  ["customer", unprepared.filter((typed) => !sellsOn(typed))],
  ["reseller", unprepared.filter(sellsOn)],
])(
  "each act of the %s API that destroys a protected resource asks for its name",
  async (_, [begin = "", ...others]) => {
    const story = await startFor(begin, {});
    for (const typed of [begin, ...others]) await checkAsks(story, typed);
  },
);

test.each(destroying.filter(({ typed }) => isPrepared(typed)))(
  "/$command asks for the name of what it destroys",
  async ({ typed }) => {
    const story = await startFor(typed, {});
    await prepareFor(story, typed);
    await checkAsks(story, typed);
  },
);
