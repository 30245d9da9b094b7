import { expect, test } from "vitest";
import { newPublicKey } from "../public-keys.ts";
import { goAhead, type Story, said, startStory } from "../story.ts";

async function add(story: Story, name: string, key: string) {
  const { ana } = story;
  await ana.type("/sshkey add");
  await story.modal(ana, "Public key");
  await ana.fill({ Name: name, "Public key": key });
  return ana.submit();
}

test("a key is added without its comment, listed, and deleted after asking", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await add(story, "new laptop", `${newPublicKey()} ana@example.test`);
  await story.sees(ana, "`new laptop`", "is stored", "SHA256:");
  const list = await story.ask(ana, "/sshkey list", "3 SSH keys");
  expect(said(list)).toContain("new laptop");
  const request = await story.ask(
    ana,
    '/sshkey delete "new laptop"',
    "asks to",
    "until you remove it on the server itself",
  );
  expect(said(request)).toContain("A server that was ordered with it may accept it again, even after a reinstall.");
  await ana.press(request, goAhead);
  await story.sees(ana, "`new laptop` is deleted");
  await story.ask(ana, "/sshkey list", "2 SSH keys");
});

test("a text that is no whole public key is stopped in the form", async () => {
  const story = await startStory({ linked: ["ana"] });
  for (const [kind, key, words] of [
    ["prose", "nothing of the kind", "begins with its kind"],
    ["a key that is cut off", newPublicKey().slice(0, -8), "cut off or damaged"],
    ["a key of another kind than it says", `ssh-rsa ${newPublicKey().split(" ")[1]}`, "cut off or damaged"],
    ["two keys", `${newPublicKey()}\n${newPublicKey()}`, "one key, on one line"],
    ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----\nabc", "that is a private key"],
  ] as const) {
    const errors = { public: expect.stringMatching(new RegExp(words, "i")) };
    expect(await add(story, "x", key), kind).toMatchObject({ errors });
    await story.ana.closeModal();
  }
  expect(story.platform.calls().filter(({ method }) => method === "POST")).toEqual([]);
});

test("a stored key is opened with its whole text, and refused in plain words when it is added again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const key = newPublicKey();
  await add(story, "new laptop", key);
  await story.sees(ana, "`new laptop`", "is stored");
  await story.details(ana, await story.ask(ana, '/sshkey show "new laptop"', "SHA256:"), key);
  await add(story, "two", key);
  await story.sees(ana, "already stored", "Nothing changed");
});

test("a key that was asked for twice is deleted once", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const first = await story.ask(ana, "/sshkey delete deploy", "asks to");
  const second = await story.ask(ana, "/sshkey delete deploy", "nothing new was requested");
  await ana.press(first, goAhead);
  await story.sees(ana, "is deleted");
  await story.pressing(ana, second, goAhead, "done");
  expect(platform.calls().filter(({ method }) => method === "DELETE")).toHaveLength(1);
});

test("a reinstall of a VPS names the keys that it will accept, of every project, five at most", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  for (const at of [1, 2, 3, 4]) {
    await add(story, `extra ${at}`, newPublicKey());
    await story.sees(ana, `\`extra ${at}\``, "is stored");
  }
  await story.ask(ana, "/project use production", "You now work in");
  await ana.type("/vps reinstall web-2");
  await story.modal(ana, "Operating system");
  await ana.choose("modal", "choose:image", "Debian 13");
  await ana.submit();
  await ana.press(await story.sees(ana, "asks to"), "Details…");
  await story.modal(ana, "6 keys:", "`ana laptop`", "and 1 more");
});
