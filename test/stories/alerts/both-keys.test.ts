import { expect, test } from "vitest";
import { cards, passRound, read } from "../polled.ts";
import { goAhead, type Story, said } from "../story.ts";

const day = 24 * 60 * 60_000;

/** The reseller list shows each renewal as a day, so many days before the one of the own list. */
function showEarlierDays({ platform }: Story, days: number): void {
  const rewrite = (body: unknown): unknown =>
    JSON.parse(JSON.stringify(body), (name, value) =>
      name === "nextDueDate" && typeof value === "string"
        ? new Date(Date.parse(value) - days * day).toISOString().slice(0, 10)
        : value,
    );
  platform.faults.next({ how: { rewrite }, method: "GET", path: /^\/reseller\/services$/, times: 10_000 });
}

async function passBoth(story: Story): Promise<void> {
  for (const api of ["customer", "reseller"] as const) await passRound(story, { api });
}

test("a renewal that both APIs show alerts once, as the own list has it, even if the reseller list names another day", async () => {
  const story = await read({ apis: ["customer", "reseller"] });
  showEarlierDays(story, 4);
  story.platform.renewIn("mail", 1);
  for (let rounds = 0; rounds < 3; rounds += 1) await passBoth(story);
  await story.passes(() => cards(story, "The renewal of `mail.example.test` falls due")[0], "the alert");
  const log = said(await story.ask(story.ana, "/rackbell alerts log mail.example.test", "newest first"));
  expect(log.split("falls due")).toHaveLength(2);
  expect(log).not.toContain("overdue");
});

test("a machine that is cancelled at the end of its period has no renewal to alert about, with the reseller key, too", async () => {
  const story = await read({ apis: ["customer", "reseller"] });
  const { ana, platform } = story;
  platform.renewIn("mail", 20);
  await story.pressing(ana, await story.ask(ana, "/vps cancel mail", "asks to"), goAhead, "mail");
  platform.renewIn("mail", 3);
  for (let rounds = 0; rounds < 2; rounds += 1) await passBoth(story);
  const log = said(await story.ask(ana, "/rackbell alerts log mail.example.test", "is not renewed and ends"));
  expect(log).not.toContain("falls due");
});

test("the renewal of a resold service alerts by the reseller key again once the customer key is gone", async () => {
  const story = await read({ apis: ["customer", "reseller"] });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell disconnect customer force=yes", "is erased here");
  platform.renewIn("mail", -2);
  await passRound(story, { api: "reseller" });
  await story.passes(() => cards(story, "The renewal of `mail.example.test` is overdue")[0], "the alert");
});
