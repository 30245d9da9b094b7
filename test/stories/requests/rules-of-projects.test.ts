import { expect, test } from "vitest";
import { everybody, goAhead, type Message, said, startStory, writes } from "../story.ts";

const oddNames = [
  "Client: Acme & Söns",
  "R&D",
  "*prod*",
  "two  blanks",
  "<web> `tick` ~x~ _y_",
  "> quoted",
  ":tada: ﷽ 🚀",
  "p".repeat(120),
];

test("a rule about a project with an odd name protects it, and can be added by some of those names", async () => {
  const story = await startStory({ linked: everybody });
  const { ana, ben, platform } = story;
  const byItself = new Set(["R&D", "Client: Acme & Söns", "two  blanks"]);
  for (const name of oddNames) {
    platform.renameProject("production", name);
    for (const project of byItself.has(name) ? ["production", `"${name}"`] : ["production"]) {
      await story.ask(
        ana,
        `/rackbell policy add demand=two-approvals risk=destroy project=${project}`,
        "In effect now",
      );
      await story.ask(ben, "/rackbell policy try vps cancel web-1", "needs two approvals", "The rule:");
      await story.ask(ben, "/rackbell policy try vps cancel mail", "needs the requester's confirmation");
      const rules = await story.ask(ana, "/rackbell policy", "needs two approvals");
      const id = /`([0-9a-f]{8})`/.exec(said(rules))?.[1] ?? "";
      await story.ask(ana, `/rackbell policy remove ${id}`, "In effect now");
    }
  }
  platform.renameProject("production", "R&D");
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy project=production", "In effect now");
  await story.ask(ben, "/vps cancel web-1", "asks to", "Two others than", "The rule:");
  await story.ask(ben, "/vps cancel mail", "Only <@");
  expect(writes(story)).toEqual([]);
});

test("renaming a project leaves its rule in force, and the rule is shown with the new name", async () => {
  const story = await startStory({
    linked: everybody,
    rules: ["demand=two-approvals risk=destroy project=Production"],
  });
  const { ana, ben } = story;
  await story.ask(ben, "/project change production name=Playground slug=play", "is called `Playground` now");
  await story.ask(ben, "/vps cancel web-1", "Two others than", "in project Playground");
  const list = await story.ask(ana, "/rackbell policy", "in project Playground");
  expect(said(list)).not.toContain("in project Production");
});

test("a rule about a project that was deleted stays in the list, which says that the project is gone", async () => {
  const story = await startStory({ linked: everybody, rules: ["demand=two-approvals risk=destroy project=empty"] });
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell policy", "in project Empty project");
  const request = await story.ask(ana, "/project delete empty", "asks to");
  await story.pressing(ben, request, goAhead, "1 of 2");
  await story.pressing(story.caro, request, goAhead, "is deleted");
  await story.ask(ana, "/rackbell policy", "in project Empty project", "sees no such project any more");
  await story.ask(ana, "/rackbell status", "The project of the rule", "is gone");
  await story.ask(ben, "/vps cancel web-1", "Only <@");
});

test("a project is named by who can read its id: an admin without a customer key adds no rule about one", async () => {
  const story = await startStory({ linked: ["ben"] });
  await story.ask(
    story.ana,
    "/rackbell policy add demand=two-approvals project=production",
    "Link your customer key first",
  );
  await story.ask(story.ana, "/rackbell policy", "There are no rules yet");
});

test("a member who works in another project cannot evade the rules of the project acted on, nor those of an invoice", async () => {
  const rules = ["change", "destroy", "spend"].map((risk) => `demand=two-approvals risk=${risk} project=production`);
  const story = await startStory({ linked: everybody, rules });
  const { ben, platform } = story;
  const bill = platform.bill("Renewal", 1_000);
  await story.ask(ben, "/project use staging", "You now work in");
  await story.ask(ben, "/project change production name=Playground", "Two others than", "in project Production");
  const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJk5Qx0p4vR1Yl3mJm8bqT0m1oYz7o2g8e9xqkq1h0aB";
  await story.ask(ben, `/sshkey add name=laptop public="${key}" project=production`, "Two others than");
  // The row of a service does not name its project, and an invoice belongs to the whole account.
  await story.ask(ben, "/service cancel worker-1", "Two others than");
  await story.ask(ben, `/billing pay ${bill.number}`, "Two others than");
  await story.ask(ben, "/project use all", "You work in all projects again");
  expect(writes(story)).toEqual([]);
});

test("a schedule whose machine has another name, host name or project by then is not begun, and says so", async () => {
  const story = await startStory({ linked: ["ben"] });
  const { ben, platform } = story;
  const { id, hostname } = platform.find("mail");
  const renamed = "It was called `mail` and is called `billing-db` now";
  const cases = [
    ["cancel mail", { name: "billing-db" }, renamed],
    ["reboot mail force=yes", { name: "billing-db" }, renamed],
    ["cancel mail", { hostname: "db.example.test" }, "Its host name was"],
    ["cancel mail", { project_id: platform.projectId("production") }, "It was in `Default` and is in `Production` now"],
  ] as const;
  for (const [act, patch, words] of cases) {
    const before = ben.sees().length;
    const request = await story.ask(ben, `/vps ${act} in=5m`, act.startsWith("cancel") ? "asks to" : "scheduled for");
    if (act.startsWith("cancel")) await story.pressing(ben, request, goAhead, "scheduled for");
    platform.change(id, patch);
    const isEnd = (message: Message) => said(message).includes("did not start") && said(message).includes(words);
    const ended = await story.passes(() => ben.sees().slice(before).find(isEnd), `${act} to end with ${words}`);
    expect(said(ended)).not.toContain("nothing changed since it was scheduled");
    await story.ask(ben, "/rackbell audit", words);
    platform.change(id, { name: "mail", hostname });
  }
  expect(writes(story)).toEqual([]);
});

test("a project that was only renamed is the same project: what waits in it stays", async () => {
  const story = await startStory({ linked: ["ben"] });
  const { ben, platform } = story;
  const request = await story.ask(ben, "/vps cancel web-1", "asks to");
  platform.renameProject("production", "Playground");
  await story.pressing(ben, request, goAhead, "ends");
  expect(writes(story)).toHaveLength(1);
});

test("a machine with another account's key by then is left alone: a schedule keeps the account that it was made for", async () => {
  const story = await startStory({ linked: ["ben"] });
  const { ben, platform } = story;
  await story.ask(ben, "/vps reboot mail force=yes in=5m", "scheduled for");
  platform.changeUser("ben", { account: null });
  await story.comesToSee(
    ben,
    `The user or account of <@${ben.user.id}> at the platform is not the same as when they asked`,
  );
  expect(writes(story)).toEqual([]);
});
