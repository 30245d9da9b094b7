import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";
import { freePort } from "../../src/sandbox/bench/ports.ts";
import { passADay } from "../stories/admins.ts";
import { refusedCalls } from "../stories/always.ts";
import { type Story, said, startStory } from "../stories/story.ts";
import { findings } from "./axe.ts";
import { desktop, openPage, phone } from "./page.ts";
import { useBrowser } from "./windows.ts";

const opened = useBrowser();

/** A story that a browser reaches under localhost, with a rule that needs a passkey. */
async function protectedHere(): Promise<Story> {
  const port = String(await freePort());
  const story = await startStory({
    linked: ["ana", "caro"],
    pace: 60,
    environment: { PASSKEYS: "on", APPROVALS: "peer", PORT: port, PUBLIC_URL: `http://localhost:${port}` },
  });
  await story.ask(story.ana, "/rackbell policy add demand=one-approval risk=destroy passkey=yes", "In effect now");
  await passADay(story);
  return story;
}

/** A device of the person at the page, as Chromium imitates it; it makes and uses passkeys without a touch. */
async function addDevice(page: Page, transport: "internal" | "usb" = "internal") {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport, hasUserVerification: true, isUserVerified: true } as const;
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", { options });
  return {
    async verifies(isUserVerified: boolean) {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
    async credentials() {
      return (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
    },
    /** The same passkeys on another page: a device is the person's, and not the page's. */
    async moveTo(next: Page, { setBack = 0 } = {}) {
      const device = await addDevice(next);
      for (const credential of await this.credentials())
        await device.add({ ...credential, signCount: credential.signCount - setBack });
      return device;
    },
    async add(credential: Awaited<ReturnType<typeof this.credentials>>[number]) {
      await session.send("WebAuthn.addCredential", { authenticatorId, credential });
    },
  };
}

/** Opens the link of the newest answer in a window of its own, as a person does. */
async function followLink(page: Page): Promise<Page> {
  const [next] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: "Open the page" }).last().click(),
  ]);
  await next.waitForLoadState();
  return next;
}

async function registerCaro(story: Story, options: BrowserContextOptions) {
  const window = await openPage(opened.browser, story, { ...options, place: "as=caro&c=ops" });
  await window.type("/rackbell passkey");
  await window.sees(/Make a passkey on this page/);
  const page = await followLink(window.page);
  const device = await addDevice(page);
  await page.getByLabel("The key that you linked").fill(story.platform.keys.caro.key);
  await page.getByLabel("A name for the passkey").fill("laptop");
  await page.getByRole("button", { name: "Make the passkey" }).click();
  await page.getByRole("heading", { name: "Your passkey is ready" }).waitFor();
  return { ...window, registration: page, device };
}

test("on a phone, a member makes a passkey and approves with it, in windows of their own", async () => {
  const story = await protectedHere();
  const { ana } = story;
  const { page, modal, device } = await registerCaro(story, phone);
  await story.ask(ana, "/vps cancel web-2", "This needs a passkey");
  await page.getByTestId("message").getByRole("button", { name: "Approve…" }).last().click();
  await modal.getByText("asks for your passkey").waitFor();
  const approval = await followLink(page);
  await device.moveTo(approval);
  const button = approval.getByRole("button", { name: /Approve: / });
  await approval.getByRole("heading", { name: "Cancel web-2?" }).waitFor();
  expect(await approval.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  // With the keyboard alone: the first thing that Tab reaches is the button.
  await approval.keyboard.press("Tab");
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  await approval.keyboard.press("Enter");
  await approval.getByRole("heading", { name: "Your passkey counted" }).waitFor();
  await approval.getByText("go back to Slack").waitFor();
  await story.sees(ana, ":white_check_mark:", "`web-2` ends");
  expect(refusedCalls(story.slack)).toEqual([]);
}, 120_000);

test("a proxy's answer in plain text, a device that verifies nobody, and one whose counter was set back decide nothing, and the first two can be tried again", async () => {
  const story = await protectedHere();
  const { ana } = story;
  const { page, modal, device } = await registerCaro(story, desktop);
  await story.ask(ana, "/vps cancel web-2", "This needs a passkey");
  await page.getByTestId("message").getByRole("button", { name: "Approve…" }).last().click();
  await modal.getByText("asks for your passkey").waitFor();
  const approval = await followLink(page);
  const here = await device.moveTo(approval);
  await approval.route(approval.url(), (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 502, body: "Bad gateway" }) : route.continue(),
  );
  await approval.getByRole("button").click();
  await approval.getByText("Rackbell does not answer").waitFor();
  await approval.unrouteAll();
  await here.verifies(false);
  await approval.getByRole("button").click();
  await approval.getByText("did not confirm").waitFor();
  await here.verifies(true);
  const again = await followLink(page);
  await device.moveTo(again, { setBack: 1 });
  await again.getByRole("button").click();
  await again.getByRole("heading", { name: "Your passkey did not count" }).waitFor();
  expect(story.platform.calls().filter(({ method }) => method !== "GET")).toEqual([]);
}, 120_000);

test("a second device is added with the first one; a removed one no longer opens anything; a denied request says so", async () => {
  const story = await protectedHere();
  const { ana, caro } = story;
  const { page, type, sees, device, modal } = await registerCaro(story, desktop);
  await type("/rackbell passkey");
  await sees(/asks for one of your passkeys/);
  const adding = await followLink(page);
  const first = await device.moveTo(adding);
  await adding.getByLabel("A name for the passkey").fill("phone");
  // The new passkey goes to another device, which has none: this one has the first.
  await addDevice(adding, "usb");
  await adding.getByRole("button", { name: "Make the passkey" }).click();
  await adding.getByRole("heading", { name: "Your passkey is ready" }).waitFor();
  await type("/rackbell passkey remove laptop");
  await sees(/`?\/rackbell passkeys/);
  const removing = await followLink(page);
  await first.moveTo(removing);
  await removing.getByRole("button").click();
  await removing.getByRole("heading", { name: "Your passkey counted" }).waitFor();
  const card = await story.ask(ana, "/vps cancel web-2", "This needs a passkey");
  await page.getByTestId("message").getByRole("button", { name: "Approve…" }).last().click();
  await modal.getByText("asks for your passkey").waitFor();
  const approval = await followLink(page);
  await first.moveTo(approval);
  await approval.getByRole("button").click();
  // The browser looks for a device that has the second passkey, and this one has the removed one alone.
  await approval.getByText("One moment…").waitFor();
  await caro.closeModal({ all: true });
  await caro.press(card, "Deny…");
  await story.modal(caro, "Why?");
  await caro.fill({ "Why?": "Not this one" });
  await caro.submit();
  await story.sees(caro, "denied it");
  expect(story.platform.calls().filter(({ method }) => method !== "GET")).toEqual([]);
  await approval.reload();
  await approval.getByRole("heading", { name: "There is nothing to decide any more" }).waitFor();
  expect(said(card)).toContain("web-2");
}, 120_000);

test("nothing keeps people who see, hear or move otherwise from the pages that ask for a passkey, whatever they say, on a desktop or a phone", async () => {
  const story = await protectedHere();
  const { ana, caro, app } = story;
  const found: string[] = [];
  async function look(page: Page, where: string): Promise<void> {
    for (const { viewport } of [phone, desktop]) {
      await page.setViewportSize(viewport);
      found.push(...(await findings(page, `${where}, ${viewport.width} wide`)));
    }
  }
  const { page, type, sees, modal } = await openPage(opened.browser, story, { ...desktop, place: "as=caro&c=ops" });
  await type("/rackbell passkey");
  await sees(/Make a passkey on this page/);
  const registration = await followLink(page);
  const device = await addDevice(registration);
  await look(registration, "registration");
  await registration.getByLabel("The key that you linked").fill(story.platform.keys.ana.key);
  await registration.getByRole("button").click();
  await registration.getByText("4 tries are left").waitFor();
  await look(registration, "wrong key");
  await registration.getByLabel("The key that you linked").fill(story.platform.keys.caro.key);
  await registration.getByRole("button").click();
  await registration.getByRole("heading", { name: "Your passkey is ready" }).waitFor();
  await look(registration, "ready");
  await type("/rackbell passkeys replace");
  await sees(/It replaces all your others/);
  await look(await followLink(page), "replacement");

  const card = await story.ask(ana, "/vps cancel web-2", "This needs a passkey");
  await page.getByTestId("message").getByRole("button", { name: "Approve…" }).last().click();
  await modal.getByText("asks for your passkey").waitFor();
  const approval = await followLink(page);
  await device.moveTo(approval);
  await look(approval, "approval");
  const again = await followLink(page);
  await approval.getByRole("button").click();
  await approval.getByRole("heading", { name: "Your passkey counted" }).waitFor();
  await look(approval, "counted");
  await again.reload();
  await again.getByRole("heading", { name: "This link is used up" }).waitFor();
  await look(again, "used link");
  await caro.closeModal({ all: true });
  expect(said(card)).toContain("web-2");
  await registration.goto(`${app.url}/passkey/of-nobody`);
  await look(registration, "unknown link");
  await page.context().close();
  expect(found).toEqual([]);
}, 120_000);
