import { expect, test } from "vitest";
import { said } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

test.each([0, 1])("a dedicated server boots its rescue system, whose password is shown once (%s)", async (payload) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.settings.shapes.payload = payload;
  const done = await story.ask(
    ana,
    "/reseller service rescue BOR-002 force=yes",
    "Its password is in the requester's direct messages with me",
  );
  const offer = await story.seesIn("dm", ana, "only you can open it");
  await ana.press(offer, "Reveal");
  await story.modal(ana, "Rescue of metal-1.example.test");
  expect(said(done)).toContain("End the rescue");
  await story.ask(ana, "/reseller service unrescue BOR-002 force=yes", "boots its own system");
});

const refused = [
  ["provider ACME-001", "No plugin provides"],
  ["rescue web-1.example.test", "offers no rescue system"],
  ["unrescue BOR-002 force=yes", "not in its rescue system"],
  ["rdns suspended-1.example.test address=192.0.2.23 hostname=none", "Only the addresses of a dedicated server"],
  ["sshkeys web-1.example.test", "Only a dedicated server"],
  ["transit web-1.example.test asn=64500 force=yes", "is no IP transit"],
  ['upgrade suspended-1.example.test to="VPS L"', "only an active service"],
] as const;

test("an act that the kind or the state of a service does not allow is refused with its reason, and changes nothing", async () => {
  const story = await startResellerStory();
  for (const [words, sentence] of refused) await story.ask(story.ana, `/reseller service ${words}`, sentence);
  expect(resellerWrites(story).filter(({ status }) => status !== null && status < 400)).toEqual([]);
});

test("the reverse name of an address is set and cleared; an address that is given by its id is named in the result", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const rdns = (address: string, name: string) => `/reseller service rdns BOR-002 address=${address} hostname=${name}`;
  await story.ask(ana, rdns("192.0.2.42", "metal.example.com"), "is `metal.example.com`");
  const [sent] = resellerWrites(story).flatMap(
    ({ body }) => /"ipAddressId":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? [],
  );
  const done = await story.ask(ana, rdns(sent ?? "", "iron.example.com"), "is `iron.example.com`");
  expect(said(done)).toContain("192.0.2.42");
  expect(said(done)).not.toContain(sent);
  await story.ask(ana, rdns("192.0.2.42", "none"), "is cleared");
});

test("a transit shows its AS number and prefixes before anything is sent, and in the result", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const values = ["64500", "192.0.2.0/24", "198.51.100.0/24"];
  const command = "/reseller service transit transit-1.example.test asn=64500 prefixes=192.0.2.0/24,198.51.100.0/24";
  const question = await story.ask(ana, command, "off the internet", ...values);
  expect(resellerWrites(story)).toEqual([]);
  await story.pressing(ana, question, "Configure the transit of transit-1.example.test", "is configured", ...values);
});

test("a transit announces what is set, and the supplier may keep it to itself", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const command = "/reseller service transit transit-1.example.test asn=64500 prefixes=192.0.2.0/24 force=yes";
  await story.ask(ana, command, "is configured");
  platform.reseller.settings.transitEditing = false;
  await story.ask(ana, command.replace("64500", "64501"), "Only the platform's operator can change this setting");
});

test("a transit of many prefixes says how many more will be withdrawn than it names", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const many = JSON.stringify(Array.from({ length: 60 }, (_, at) => `10.0.${at}.0/24`));
  const rewrite = (body: unknown) =>
    JSON.parse(JSON.stringify(body).replace(/"announcedPrefixes":\[[^\]]*\]/, `"announcedPrefixes":${many}`));
  const path = "/reseller/services/{serviceId}/document";
  platform.faults.next({ how: { rewrite }, method: "GET", path, times: 10 });
  const command = "/reseller service transit transit-1.example.test prefixes=192.0.2.0/24";
  await story.ask(ana, command, "`10.0.49.0/24` and 10 more will be withdrawn");
});
