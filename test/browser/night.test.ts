import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { refusedCalls } from "../stories/always.ts";
import { passRound, read } from "../stories/polled.ts";
import { said } from "../stories/story.ts";
import { confirm, openPage, phone } from "./page.ts";
import { useBrowser } from "./windows.ts";

const opened = useBrowser();
const pictures = "node_modules/.cache/rackbell/night";
const minute = 60_000;

test("in a night on three phones, the second on call takes and starts a machine while the first is in Do Not Disturb, it fails again and notifies again, and an approval for an absent lead reaches the stand-in", async () => {
  mkdirSync(pictures, { recursive: true });
  const story = await read({ linked: ["ana", "ben", "caro"], environment: { APPROVALS: "peer" } });
  const { ana, ben, caro, platform, slack, clock } = story;
  await story.ask(ana, "/rackbell oncall night people=@ana,@ben day=daily time=09:00 zone=UTC", "take turns");
  await story.ask(ana, "/rackbell alerts set #ops mention=night then=@ben after=20m", "after 20 min");
  await story.ask(ana, "/rackbell policy set demand=one-approval risk=destroy notify=@caro", "In effect");
  slack.setQuiet("ana", clock.now() + 6 * 60 * minute);
  const [first, second, lead] = [
    await openPage(opened.browser, story, { ...phone, place: "as=ana&c=ops" }),
    await openPage(opened.browser, story, { ...phone, place: "as=ben&c=ops" }),
    await openPage(opened.browser, story, { ...phone, place: "as=caro&c=ops" }),
  ];
  const picture = ({ page }: typeof first, name: string) =>
    page.screenshot({ path: join(pictures, `${name}.png`), fullPage: false });

  await lead.type('/rackbell away until="tomorrow 8:00" to=@ana');
  await lead.sees(/You are away/);
  await picture(lead, "1-away");

  platform.change("web-2", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  await second.sees(/has stopped/);
  await second.sees(/is in Do Not Disturb until/);
  await picture(second, "2-alert");
  await second.page
    .getByText(/\d+ repl(y|ies)/)
    .last()
    .click();
  await picture(second, "2b-thread");
  await second.page.getByRole("link", { name: "Close thread" }).click();
  await second.page.getByRole("button", { name: "Take" }).last().click();
  await second.sees(/took this/);
  await picture(second, "3-taken");
  await second.page.getByRole("button", { name: "Start" }).last().click();
  await story.comesToSee(ben, "`web-2` is running");
  await picture(second, "4-started");

  clock.skip(10 * minute);
  platform.change("web-2", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  await expect.poll(() => ben.phone().filter(({ text }) => text.includes("web-2")).length).toBeGreaterThan(1);
  await picture(second, "5-again");

  await second.type('/vps cancel web-1 immediate=yes reason="the customer left"');
  await second.sees(/asks to/);
  await picture(second, "6-request");
  await first.sees(/who is away/);
  await picture(first, "7-stand-in");
  await confirm(first.page, "Approve…", /This will terminate/);
  await second.sees(/has ended. There is no way back/);
  await picture(second, "8-decided");

  await second.page.goto(`${slack.url}/#as=ben&c=app`);
  await second.page
    .getByTestId("home")
    .getByText(/on call/)
    .first()
    .waitFor();
  await picture(second, "9-home");
  const audit = said(await story.ask(ana, "/rackbell audit everyone=yes", "took"));
  for (const words of ["is in Do Not Disturb", "took it", "*done* · `vps start`", "*approved* · `vps cancel`"])
    expect(audit).toContain(words);
  await story.ask(ana, "/rackbell audit everyone=yes who=@caro", "Away until");

  const heard = (one: typeof ana, text: string) => one.phone().filter((buzz) => buzz.text.includes(text)).length;
  expect([ana, ben, caro].map((one) => heard(one, "web-2.example.test"))).toEqual([2, 2, 0]);
  expect([ana, caro].map((one) => heard(one, "Cancel `web-1`"))).toEqual([1, 0]);
  expect(refusedCalls(slack)).toEqual([]);
}, 120_000);
