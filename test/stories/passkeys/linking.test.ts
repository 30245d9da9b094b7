import { expect, test } from "vitest";
import { becomesAdmin, passADay, passHours } from "../admins.ts";
import { type Actor, type Story, said, startStory } from "../story.ts";
import { passkeysOn, register } from "./passkeys.ts";

async function linkKey(story: Story, actor: Actor, key: string): Promise<void> {
  story.secrets.add(key);
  await story.link(actor, key);
}

async function unlink(story: Story, actor: Actor, which = ""): Promise<void> {
  const question = await story.ask(actor, `/rackbell unlink ${which}`.trim(), "cancels your open requests");
  await story.pressing(actor, question, "Unlink a key", "erased here");
}

test("the keys that admins without a passkey link are audited, and the admins get them as one message within a day", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], pace: 60, environment: passkeysOn });
  const { ana, caro, platform } = story;
  await passADay(story);
  await register(story, ana);
  await becomesAdmin(story, "caro");
  const audit = () => story.ask(ana, "/rackbell audit everyone=yes", "Audit entries of everybody");
  const log = said(await audit());
  // Ana linked as an admin at set-up, and the others were none then.
  expect(log.match(/\*key linked\*/g)).toHaveLength(1);
  expect(log).toContain("An admin without a passkey did this.");
  await story.seesIn("dm", ana, "Admins without a passkey linked keys", "`ana`");
  await linkKey(story, caro, platform.keys.caro.key);
  await linkKey(story, caro, platform.addKey({ owner: "caro", label: "caro-two" }).key);
  expect(said(await audit()).match(/\*key linked\*/g)).toHaveLength(3);
  const messages = () => ana.sees("dm").filter((message) => said(message).includes("Admins without a passkey linked"));
  expect(messages()).toHaveLength(1);
  await passHours(story, 25);
  const second = await story.slack.until(() => messages()[1], "the message of the next day");
  expect(said(second)).toMatch(/`caro`[\s\S]*`caro-two`/);
  expect(messages()).toHaveLength(2);
});

test("a key of another account than before is audited and sent to the member and every admin at once, even after an unlink", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  await linkKey(story, ben, platform.addKey({ owner: "ben", label: "ben-two" }).key);
  await linkKey(story, ben, platform.addKey({ owner: "dave", label: "dave-two" }).key);
  await story.seesIn("dm", ana, `<@${ben.user.id}> linked the key \`dave-two\``, "another account");
  await story.seesIn("dm", ben, "`dave-two`", "another account");
  expect(ana.sees("dm").filter((message) => said(message).includes("ben-two"))).toEqual([]);
  await unlink(story, ben);
  await linkKey(story, ben, platform.addKey({ owner: "caro", label: "caro-three" }).key);
  await story.seesIn("dm", ana, "`caro-three`", "another account");
  const log = said(await story.ask(ana, "/rackbell audit everyone=yes", "Audit entries of everybody"));
  expect(log.match(/It may belong to another account/g)).toHaveLength(2);
});

test("a key of the same platform user in another account, and another reseller key, are sent to the admins as well", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  const { reseller } = platform;
  const announced = (label: string) => story.seesIn("dm", ana, `linked the key \`${label}\``, "another account");
  await linkKey(story, ben, reseller.keys.ben.key);
  for (const { key } of [reseller.keys.caro, reseller.keys.zoe]) {
    await linkKey(story, ben, key);
    await announced(`reseller ${key.slice(4, 12)}`);
    await unlink(story, ben, "reseller");
  }
  platform.changeUser("ben", { account: null });
  await linkKey(story, ben, platform.addKey({ owner: "ben", label: "alone" }).key);
  await announced("alone");
  // Back in the account of before, which the admins know.
  await linkKey(story, ben, reseller.keys.ben.key);
  expect(ana.sees("dm").filter((message) => said(message).includes("another account"))).toHaveLength(3);
});

test("the list of members shows admins which admin has no passkey, and nothing of that while passkeys are off", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], pace: 60, environment: passkeysOn });
  const { ana, ben } = story;
  await becomesAdmin(story, "caro");
  await passADay(story);
  await register(story, ana);
  await story.ask(ben, "/rackbell members", "Only an admin");
  const list = said(await story.ask(ana, "/rackbell members", "3 members have linked a key"));
  const lacking = list.split("\n").filter((line) => line.includes("an admin without a passkey"));
  expect(lacking).toEqual([expect.stringContaining(story.caro.user.id)]);
  const off = await startStory({ linked: ["ana"] });
  expect(said(await off.ask(off.ana, "/rackbell members", "1 member has"))).not.toContain("passkey");
});
