import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Practice } from "../../src/sandbox/practice.ts";

/** The page of the practice workspace in a window of its own, and what a person does in it. */
export async function openPage(
  browser: Browser,
  { slack }: Pick<Practice, "slack">,
  { place = "as=ana&c=ops", ...options }: BrowserContextOptions & { place?: string },
) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${slack.url}/#${place}`);
  const modal = page.getByTestId("modal");
  const type = async (text: string) => {
    await page.getByTestId("composer").fill(text);
    await page.getByTestId("composer").press("Enter");
  };
  return {
    page,
    modal,
    type,
    actAs: async (name: string) => {
      await page.getByTestId("act-as").selectOption(name);
      await page.waitForURL(new RegExp(`as=${name}`));
    },
    async link(key: string) {
      await type("/rackbell link");
      await modal.getByLabel("API key").fill(key);
      await modal.getByRole("button", { name: "Link a key" }).click();
      await page.getByText("is linked:").waitFor();
    },
    sees: (text: string | RegExp) => page.getByTestId("message").getByText(text).last().waitFor(),
  };
}

export const desktop = { viewport: { width: 1280, height: 860 } };
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Presses a button that asks once more, and the one in the dialog that goes through with it. */
export async function confirm(page: Page, label: string, loss: RegExp): Promise<void> {
  await page.getByTestId("message").getByRole("button", { name: label, exact: true }).last().click();
  const dialog = page.getByTestId("confirm");
  await dialog.getByText(loss).waitFor();
  await dialog.getByRole("button").last().click();
}
