import { expect, test } from "vitest";
import { goAhead, type Story, said, startStory } from "../story.ts";

const digest = "0123456789abcdef".repeat(4);
const address = "https://images.example.com/debian.qcow2";

async function register(story: Story, values: Record<string, string>) {
  const { ana } = story;
  await ana.type("/image register");
  await story.modal(ana, "SHA-256");
  await ana.fill({ Name: "debian-mine", Address: address, "SHA-256": digest, ...values });
  return ana.submit();
}

test("images are listed, the newest first, and opened", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const list = await story.ask(ana, "/image list", "5 images");
  expect(said(list).indexOf("broken-capture")).toBeLessThan(said(list).indexOf("golden-web"));
  await story.ask(ana, "/image show golden-web", "can be used in orders", "25 GiB");
  await story.ask(ana, "/image show broken-capture", "cannot be used", "could not be read to its end");
  await story
    .ask(ana, "/image show legacy-import", "can be used")
    .then((card) => story.details(ana, card, "legacy.qcow2"));
});

test("an image is read in either place that the spec leaves open", async () => {
  const story = await startStory({ linked: ["ana"] });
  story.platform.settings.shapes.named = true;
  await story.ask(story.ana, "/image show golden-web", "can be used in orders");
});

test("an image is registered once the cost has been shown to its requester alone", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  await register(story, { Description: "Made by us" });
  const request = await story.sees(ana, "Register image", "by disk size and month");
  expect(said(request)).toContain("250.00 EUR");
  expect(ben.sees().some((one) => said(one).includes("250.00 EUR"))).toBe(false);
  await ana.press(request, goAhead);
  await story.sees(ben, "`debian-mine` is registered");
  expect(platform.calls().filter(({ method }) => method === "POST")).toMatchObject([
    { body: { name: "debian-mine", sourceUrl: address, sha256: digest, osFamily: "linux", description: "Made by us" } },
  ]);
});

test("an image is registered from the typed command alone, its digest and any system family with it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const command = `/image register name=bsd url=${address} sha256=${digest} os=freebsd`;
  await ana.press(await story.ask(ana, command, "Register image"), goAhead);
  await story.sees(ana, "The image `bsd` is registered");
  expect(platform.calls().filter(({ method }) => method === "POST")).toMatchObject([
    { body: { sha256: digest, osFamily: "freebsd" } },
  ]);
});

test("a value that no image can have is stopped in the form", async () => {
  const story = await startStory({ linked: ["ana"] });
  for (const [label, value, field, words] of [
    ["Address", "http://images.example.com/a.qcow2", "url", "https"],
    ["Address", "not an address", "url", "whole address"],
    ["Address", "https://user:secret@images.example.com/a.qcow2", "url", "user name and the password"],
    ["Address", "https://10.1.2.3/a.qcow2", "url", "private"],
    ["Address", "https://[fd00::1]/a.qcow2", "url", "private"],
    ["SHA-256", digest.toUpperCase(), "sha256", "lowercase"],
    ["SHA-256", digest.slice(1), "sha256", "64"],
    ["Name", "n".repeat(121), "name", "120"],
  ] as const) {
    const errors = { [field]: expect.stringContaining(words) };
    expect(await register(story, { [label]: value }), `${label} ${value}`).toMatchObject({ errors });
    await story.ana.closeModal();
  }
  expect(story.platform.calls().filter(({ method }) => method === "POST")).toEqual([]);
});

test("a host that turns out to be private is refused by the platform, and its words are shown", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await register(story, { Address: "https://files.corp.internal/a.qcow2" });
  await ana.press(await story.sees(ana, "Register image"), goAhead);
  await story.sees(ana, "public host", "Nothing was charged");
});

test("a name that is taken keeps the request open and says so", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await register(story, { Name: "legacy-import" });
  await ana.press(await story.sees(ana, "Register image"), goAhead);
  await story.sees(ana, "already has this name", "Nothing was charged");
});

test("deleting a captured image says what is lost and what ends, and of a registered one that its file stays", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/image delete legacy-import", "file at its address is not changed");
  const request = await story.ask(
    ana,
    "/image delete golden-web",
    "asks to",
    "erase the stored disk",
    "stay as they are",
    "25 GiB",
  );
  const { confirm } = await ana.press(request, goAhead, { confirm: true });
  expect(confirm?.text).toContain("golden-web");
  await story.sees(ana, "`golden-web` is deleted");
  await story.ask(ana, "/image list", "4 images");
});

test("an image that changed since it was asked is not deleted", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/image delete golden-web", "asks to");
  platform.changeImage("golden-web", { virtual_size_bytes: 50 * 1024 ** 3 });
  await ana.press(request, goAhead);
  await story.sees(ana, "Something changed", "50 GiB");
  expect(platform.calls().filter(({ method }) => method === "DELETE")).toEqual([]);
});
