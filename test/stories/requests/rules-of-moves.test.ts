import { expect, test } from "vitest";
import { cooling } from "../bulk/machines.ts";
import { everybody, goAhead, type Story, said, startStory, writes } from "../story.ts";

function projectOf({ platform }: Story, name: string): string {
  const { project_id: id } = platform.find(name);
  return ["default", "production", "staging", "empty"].find((slug) => platform.projectId(slug) === id) ?? "";
}

test("a machine leaves a strict project only with the approvals that it would lose there", async () => {
  const story = await startStory({
    linked: everybody,
    rules: ['demand=two-approvals command="vps cancel" project=production'],
  });
  const { ana, ben, caro } = story;
  const request = await story.ask(
    ben,
    "/vps move web-1 project=default",
    "`web-1` moves from `Production` to `Default`",
    "Two others than",
    "`/vps cancel` can need more in `Production` than in `Default`",
  );
  await story.pressing(ana, request, goAhead, "1 of 2");
  expect(projectOf(story, "web-1")).toBe("production");
  await story.pressing(caro, request, goAhead, "moved from `Production` to `Default`");
  expect(projectOf(story, "web-1")).toBe("default");
});

test("a move within the same strictness, one into a stricter project, and one beside all ruled projects run at once", async () => {
  const story = await startStory({
    linked: everybody,
    rules: ["demand=two-approvals risk=destroy project=production"],
  });
  const { ben, platform } = story;
  // The row of an image does not name its project.
  platform.changeImage("golden-web", { project_id: platform.projectId("staging") });
  await story.ask(ben, "/project move empty images=golden-web services=worker-2", "Moved 1 service and 1 image");
  await story.ask(ben, "/vps move worker-1 project=default", "moved from `Staging` to `Default`");
  await story.ask(ben, "/vps move worker-1 project=production", "moved from `Default` to `Production`");
  await story.ask(ben, "/project move production services=cache-1,mail", "Moved 2 services");
});

test("a move out of a project that forbids an act needs the approval of an admin other than the requester", async () => {
  const story = await startStory({ linked: everybody, rules: ["demand=not-allowed risk=destroy project=production"] });
  const { ana, ben, caro } = story;
  const request = await story.ask(
    ben,
    "/vps move web-1 project=staging",
    `An admin other than <@${ben.user.id}> must approve`,
    "is not always allowed in `Production`",
  );
  expect(said(request)).toContain(`<@${ana.user.id}>`);
  expect(said(request)).not.toContain(`<@${caro.user.id}>`);
  await story.pressing(caro, request, goAhead, "One of the approvers of this move must be an admin");
  expect(writes(story)).toEqual([]);
  await story.pressing(ana, request, goAhead, "moved from `Production` to `Staging`");
  const own = await story.ask(ana, "/vps move web-2 project=staging", "An admin other than");
  await story.pressing(ana, own, goAhead, "a teammate has to approve it");
  await story.pressing(caro, own, goAhead, "One of the approvers of this move must be an admin");
  expect(writes(story)).toHaveLength(1);
});

test("many machines in one command do not slip out either", async () => {
  const story = await startStory({
    linked: everybody,
    rules: ["demand=two-approvals risk=destroy project=production"],
  });
  const { ana, ben, caro } = story;
  const request = await story.ask(
    ben,
    "/vps move web-2 worker-1 project=default",
    "Two others than",
    "the move needs as much",
  );
  expect(writes(story)).toEqual([]);
  await story.pressing(ana, request, goAhead, "1 of 2");
  await story.pressing(caro, request, goAhead);
  await story.passes(() => writes(story).length === 2, "both are moved");
  await story.ask(ben, "/vps move worker-2 worker-3 project=default", /Moved? 2 VPSes|2 VPSes/);
  await story.passes(() => writes(story).length === 4, "both are moved at once");
});

test("a service, an image or an order leaves a strict project by no command alone: an order takes along its service", async () => {
  const story = await startStory({
    linked: everybody,
    rules: ["demand=two-approvals risk=destroy project=production"],
  });
  const { ben, platform } = story;
  const production = platform.projectId("production");
  platform.changeImage("golden-web", { project_id: production });
  const order = platform.orders().find(({ project_id: id }) => id === production);
  for (const [command, words] of [
    ["/project move default images=golden-web", "1 image"],
    ["/project move default services=metal-1", "1 service"],
    ["/service move web-1 project=default", "moves to `Default`"],
    [`/project move default orders=${order?.number}`, "1 order"],
  ] as const)
    await story.ask(ben, command, words, "Two others than", "the move needs as much");
  expect(writes(story)).toEqual([]);
});

test("a strict project is not deleted to take its machines elsewhere: that needs an admin, too", async () => {
  const story = await startStory({ linked: everybody, rules: ["demand=not-allowed command=vps project=production"] });
  const { ana, ben, caro } = story;
  const request = await story.ask(
    ben,
    "/project delete production to=staging",
    "move to `Staging`",
    `An admin other than <@${ben.user.id}> must approve`,
  );
  await story.pressing(caro, request, goAhead, "One of the approvers of this move must be an admin");
  expect(writes(story)).toEqual([]);
  await story.pressing(ana, request, goAhead, "is deleted");
});

test("a move that waits for its time is judged again by the rules and the project of then", async () => {
  const story = await startStory({ linked: everybody, rules: ["demand=two-approvals risk=destroy project=staging"] });
  const { ana, ben } = story;
  await story.ask(ben, "/vps move web-1 project=default in=5m", "scheduled for");
  await story.ask(ana, "/rackbell policy add demand=not-allowed risk=destroy project=production", "In effect now");
  const ended = await story.comesToSee(ben, /did not start|rules of this workspace changed/);
  expect(said(ended)).toContain("It needs more approvals now");
  expect(writes(story)).toEqual([]);
});

const forbidsInProduction = "demand=not-allowed risk=destroy project=production";

test("a scheduled move does not start once its approver is no admin any more", async () => {
  const story = await startStory({ linked: everybody, rules: [forbidsInProduction] });
  const { ana, ben, clock, slack } = story;
  const request = await story.ask(ben, "/vps move web-1 project=staging in=5m", "An admin other than");
  await story.pressing(ana, request, goAhead, "It is scheduled for");
  slack.setRole("ana", "member");
  clock.skip(5 * 60_000);
  await story.comesToSee(ben, "did not start", "One of the approvers of this move must be an admin", "The rule:");
  expect(writes(story)).toEqual([]);
});

test("a scheduled move stays bound to its admin's approval, even where its rule was removed since", async () => {
  const story = await startStory({ linked: everybody, rules: [forbidsInProduction] });
  const { ana, ben, clock, slack } = story;
  const request = await story.ask(ben, "/vps move web-1 project=staging in=5m", "An admin other than");
  await story.pressing(ana, request, goAhead, "It is scheduled for");
  const id = /`([0-9a-f]{8})`/.exec(said(await story.ask(ana, "/rackbell policy", "is not allowed")))?.[1];
  await story.ask(ana, `/rackbell policy remove ${id}`, "In effect now");
  slack.setRole("ana", "member");
  clock.skip(5 * 60_000);
  await story.comesToSee(ben, "did not start", "One of the approvers of this move must be an admin");
  expect(writes(story)).toEqual([]);
});

test("a scheduled move that a colleague approved is cancelled at once by a rule that wants an admin's approval", async () => {
  const story = await startStory({ linked: everybody, rules: ["demand=one-approval risk=change project=production"] });
  const { ana, ben, caro } = story;
  const request = await story.ask(ben, "/vps move web-1 project=staging in=2h", "Somebody other than");
  await story.pressing(caro, request, goAhead, "It is scheduled for");
  await story.ask(ana, `/rackbell policy add ${forbidsInProduction}`, "In effect now");
  await story.sees(ben, "rules of this workspace changed", "must be an admin", "Ask again if you still need it");
  expect(writes(story)).toEqual([]);
});

test("a move of several stops before its next machine once its approver is no admin any more", async () => {
  const story = await startStory({ linked: everybody, rules: [forbidsInProduction] });
  const { ana, ben, clock, platform, slack } = story;
  platform.faults.next({ how: cooling, method: "PATCH", path: `/vps/${platform.findVps("web-2").id}` });
  const request = await story.ask(ben, "/vps move web-1 web-2 project=staging", "An admin other than");
  await ana.press(request, goAhead);
  await story.comesToSee(ben, "1 of 2 done", "the platform asked to wait");
  slack.setRole("ana", "member");
  clock.skip(900_000);
  await story.comesToSee(ben, "1 of 2 was done", "must be an admin");
  expect(projectOf(story, "web-2")).toBe("production");
});

test("the list of rules says what a move needs, and a try says it of a move", async () => {
  const story = await startStory({
    linked: everybody,
    rules: ["demand=two-approvals risk=destroy project=production", "demand=not-allowed risk=destroy project=staging"],
  });
  const { ana } = story;
  await story.ask(
    ana,
    "/rackbell policy",
    "A move to a project that needs less needs the same",
    "needs an admin other than",
  );
  await story.ask(ana, "/rackbell policy try vps move web-1 project=default", "needs two approvals", "as much");
  expect(writes(story)).toEqual([]);
});

/** The button by which an admin leaves the approval out. */
const override = "*Override*";

test("an override does not lead a machine out of a project whose rule allows it for other acts", async () => {
  const story = await startStory({
    linked: everybody,
    rules: ["demand=one-approval risk=destroy glass=yes project=production"],
  });
  await story.ask(story.ben, "/vps cancel web-1", "Somebody other than", override);
  const request = await story.ask(story.ben, "/vps move web-1 project=default", "Somebody other than");
  expect(said(request)).not.toContain(override);
});
