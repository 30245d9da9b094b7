import { expect, test } from "vitest";
import { said, startStory, writes } from "../story.ts";

test("a time that was typed without its equals sign is offered by a button, and nothing runs before the press", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  for (const [typed, offered] of [
    ["/vps stop staging at 20:00", "/vps stop project=staging at=20:00"],
    ["/vps stop web-1 at 20:00", "/vps stop web-1 at=20:00"],
    ["/vps stop web-1 web-2 in 2h", "/vps stop web-1 web-2 in=2h"],
    ["/vps cancel web-1 in 2h", "/vps cancel web-1 in=2h"],
  ] as const) {
    const answer = await story.ask(ana, typed, "A time needs its equals sign", offered);
    expect(said(answer).split("\n"), typed).toContain(offered);
  }
  expect(writes(story)).toEqual([]);
  const answer = await story.ask(ana, "/vps stop staging at 20:00", "/vps stop project=staging at=20:00");
  await story.pressing(ana, answer, "/vps stop project=staging at=20:00", "For each of", "*When*");
  expect(writes(story)).toEqual([]);
});

test("a machine whose name is that of a project wins over the project, and words that are no time are refused as before", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-2", { name: "staging" });
  platform.change("metal-1", { project_id: platform.projectId("staging") });
  await story.ask(ana, "/vps stop staging at 20:00", "/vps stop staging at=20:00");
  await story.ask(ana, "/vps stop staging at noonish", "You have no VPS called");
  await story.ask(ana, "/vps stop nothing at 20:00", "You have no VPS called");
  await story.ask(ana, "/vps show web-1 at 20:00", "You have no VPS called");
  // Near a name, of a command for one machine, and of a project beside another one: none of these is offered.
  await story.ask(ana, "/vps stop wbe-1 at 20:00", "You have no VPS called");
  await story.ask(ana, "/vps revert production at 20:00 snapshot=nightly", "You have no VPS called");
  await story.ask(ana, "/vps move production at 20:00 project=default", "You have no VPS called");
  // Without its noun it is no command about the servers of that project, either.
  const answer = await story.ask(ana, "/rackbell stop staging at 20:00", "A time needs its equals sign");
  expect(
    said(answer)
      .split("\n")
      .filter((line) => line.startsWith("/")),
  ).toEqual(["/vps stop staging at=20:00"]);
  expect(writes(story)).toEqual([]);
});

test("without its noun a command with such a time is offered in the same way, and a machine under its own noun alone", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  for (const [typed, ...offered] of [
    ["stop staging at 20:00", "/vps stop project=staging at=20:00"],
    ["stop web-1 at 20:00", "/vps stop web-1 at=20:00"],
    ["cancel web-1 in 2h", "/vps cancel web-1 in=2h"],
  ] as const)
    for (const way of ["@Rackbell", "/rackbell"]) {
      const before = new Set(ana.sees().map(({ ts }) => ts));
      await (way.startsWith("@") ? ana.say(`${way} ${typed}`) : ana.type(`${way} ${typed}`));
      const answer = await story.slack.until(
        () => ana.sees().find((one) => !before.has(one.ts) && said(one).includes("A time needs its equals sign")),
        `an offer after ${way} ${typed}`,
      );
      expect(
        said(answer)
          .split("\n")
          .filter((line) => line.startsWith("/")),
        typed,
      ).toEqual(offered);
    }
  expect(writes(story)).toEqual([]);
  const answer = await story.ask(ana, "/rackbell stop staging at 20:00", "A time needs its equals sign");
  await story.pressing(ana, answer, "/vps stop project=staging at=20:00", "For each of", "*When*");
  await ana.say("@Rackbell stop nothing at 20:00");
  await story.sees(ana, "You have nothing called");
});

test("a command by another name is offered with the values that were typed behind it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const offer = await story.ask(ana, '/vps rebuild web-2 image="Debian 13" reason="it is due"', "by another name");
  const line = '/vps reinstall web-2 image="Debian 13" reason="it is due"';
  expect(said(offer).split("\n")).toContain(line);
  await story.pressing(ana, offer, line, "asks to", "Debian 13", "it is due");
});
