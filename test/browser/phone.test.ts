import { expect, test } from "vitest";
import { refusedCalls } from "../stories/always.ts";
import { startResellerStory } from "../stories/reseller/selling.ts";
import { openPage, phone } from "./page.ts";
import { useBrowser } from "./windows.ts";

const opened = useBrowser();
/** One screen of a phone and a half, in pixels. */
const screenAndHalf = 1.5 * phone.viewport.height;

test("on a phone, the overview of the help fits on one screen and a half, also for an admin with both keys, and a long list shows the mark, the name and the project of each row without scrolling sideways", async () => {
  const story = await startResellerStory({ linked: ["ana", "dave"] });
  const { page, type, sees, actAs } = await openPage(opened.browser, story, phone);
  const height = async () => (await page.getByTestId("message").last().boundingBox())?.height;
  await type("/rackbell help");
  await sees(/Your keys allow/);
  expect(await height()).toBeLessThanOrEqual(screenAndHalf);
  await actAs("dave");
  await type("/rackbell help");
  await sees(/read-only/);
  expect(await height()).toBeLessThanOrEqual(screenAndHalf);

  await type("/vps list");
  await sees("web-1");
  const message = page.getByTestId("message").last();
  for (const cell of ["web-1", "Production"]) {
    const box = await message.getByRole("table").getByText(cell).first().boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(phone.viewport.width);
  }
  expect(refusedCalls(story.slack)).toEqual([]);
}, 120_000);
