import { expect, test } from "vitest";
import { refusedCalls } from "../stories/always.ts";
import { startAlertStory } from "../stories/reseller/alerting.ts";
import { openPage, phone } from "./page.ts";
import { useBrowser } from "./windows.ts";

const opened = useBrowser();

test("on a phone, a member tries a filter, sends its alerts to a channel, and mutes a suspension there", async () => {
  const story = await startAlertStory("none");
  const { platform, slack } = story;
  const { page, modal, type, sees } = await openPage(opened.browser, story, phone);
  await type("/rackbell alerts try");
  await modal.getByLabel("Events").first().click();
  await page.getByRole("option", { name: "service.*" }).click();
  await modal.getByRole("button", { name: "Set the alerts" }).click();
  await page.getByRole("button", { name: "Send these to a channel…" }).last().click();
  await modal.getByLabel("But not about").fill("nobody");
  await modal.getByLabel("Channel").click();
  expect(await page.getByRole("listbox").getByRole("option").allInnerTexts()).not.toContain("#shared-partner");
  await page.getByRole("option", { name: /ops/ }).first().click();
  await modal
    .getByText("This means: #ops gets service.*, but not about nobody. No event has come yet")
    .scrollIntoViewIfNeeded();
  expect(await modal.getByLabel("But not about").inputValue()).toBe("nobody");
  await modal.getByRole("button", { name: "Set the alerts" }).click();
  await sees(/gets/);
  const service = platform.reseller.sold().find(({ hostname }) => hostname === "mail.example.test");
  platform.reseller.supplier.suspend(service?.id ?? "", "Too much mail");
  await platform.reseller.webhooks.postDue();
  await sees(/is suspended/);
  await page.getByTestId("message").getByRole("combobox", { name: "More…" }).last().click();
  await page.getByRole("option", { name: "Mute for 1 hour" }).click();
  await sees(/are muted in all channels/);
  expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
  expect(refusedCalls(slack)).toEqual([]);
}, 60_000);
