import { expect, test } from "vitest";
import { carry } from "../carry.ts";
import { goAhead, said, startStory } from "../story.ts";

test("lists say what they are for, how old they may be and no more than they know; usage and actions are shown as they come", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const list = said(await story.ask(ana, '/service list arena status="active"', "“arena”", "As known"));
  expect(list).toContain("arena-stubbed");
  expect(list).not.toContain("web-1");
  // While its billing is all that is known, a service is not marked as one that runs.
  const one = said(await story.ask(ana, "/service list web-1", "web-1"));
  expect(one).toContain(":large_blue_circle:");
  expect(one).not.toContain(":large_green_circle:");
  for (const name of ["web-1", "web-2", "db-1", "plugin-1", "metal-1", "mailboxes"])
    await story.ask(ana, `/service stats ${name}`, `Usage of \`${name}\``);
  const actions = await story.ask(ana, "/service actions plugin-1", "acme-cloud");
  expect(said(actions)).toContain("rebuild-network");
  const pressed = await ana.press(actions, "Stop");
  expect(pressed.confirm?.text).toContain("stops");
});

test("power by name is sent once and followed until the machine is as asked", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/service stop web-2 force=yes", "Stopping");
  await story.comesToSee(ana, "is stopped");
  await story.ask(ana, "/service power worker-2 action=start", "Starting");
  await story.comesToSee(ana, "`worker-2` is running");
  expect(platform.calls().filter(({ method }) => method === "POST")).toHaveLength(2);
  await story.ask(ana, "/service reboot metal-1 force=yes", "Rebooting", "Nothing shows when that has ended");
  await story.ask(ana, "/service shutdown worker-1 force=yes", "Shutting down");
});

test("power too often says when it may be tried again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.faults.next({
    how: {
      status: 429,
      body: { success: false, error: "Slow down", code: "ACTION_RATE_LIMITED", retry_after_seconds: 42 },
    },
    path: "/services/{id}/power/{action}",
  });
  const answer = await story.ask(
    ana,
    "/service restart web-1 force=yes",
    "limits how often this is possible",
    "can be tried again",
  );
  expect(said(answer)).toContain("<!date^");
});

test("a machine that is not there yet is told from a wrong id", async () => {
  const story = await startStory({ linked: ["ana"] });
  platformWithoutMachine(story.platform);
  await story.ask(story.ana, "/service start web-1", "has no machine", "Its id is right");
  await story.ask(story.ana, "/service start nobody-has-this", "no service called");
});

function platformWithoutMachine(platform: { change(name: string, patch: { instance: null }): void }) {
  platform.change("web-1", { instance: null });
}

test("a reinstall shows what is lost, runs once, and is followed to its end", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await ana.type("/service reinstall web-2");
  await story.modal(ana, "Operating system");
  await ana.choose("modal", "choose:image", "Debian 13");
  await ana.submit();
  const request = await story.sees(ana, "asks to", "50 GB", "This will erase");
  expect(platform.calls().filter(({ method }) => method === "POST")).toEqual([]);
  await ana.press(request, goAhead);
  await story.sees(ana, "Reinstalling");
  await story.comesToSee(ana, "is reinstalled");
  expect(platform.calls().filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("a reinstall without a system names the field, and a dedicated server's own systems can be chosen", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await ana.type("/service reinstall metal-1");
  await story.modal(ana, "Operating system");
  const refused = await ana.submit();
  expect(refused).toMatchObject({ errors: { image: expect.stringContaining("Choose a system") } });
  await ana.choose("modal", "choose:image", "Debian 13");
  await ana.submit();
  const request = await story.sees(ana, "asks to", "disks of `metal-1`", "Debian 13");
  await ana.press(request, goAhead);
  await story.sees(ana, "Reinstalling `metal-1`");
  expect(platform.calls().filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("a new password asks first, may rebuild a dedicated server, and is shown to its requester alone", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, platform } = story;
  const question = await carry(story, ana, "/service password web-1", goAhead, {});
  expect(said(question)).not.toContain("rebuild");
  await story.pressing(ana, question, goAhead, "accepted the new password of `web-1`");
  await story.seesIn("dm", ana, "only you can open it");
  await ana.type("/service password metal-1");
  await story.modal(ana, "New root password");
  await ana.fill({ "New root password": "correct horse battery" });
  await ana.submit();
  const request = await story.sees(ana, "asks to", "If provisioning manages `metal-1`, this will rebuild it");
  expect(platform.calls().filter(({ path }) => path.endsWith("/password"))).toHaveLength(1);
  await ana.press(request, goAhead);
  await story.sees(ana, "accepted the new password of `metal-1`");
  expect(JSON.stringify(ben.sees())).not.toContain("correct horse");
});

test("a cancellation shows what ends, and can be withdrawn until then", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, '/service cancel web-2 reason="no longer needed"', "asks to", "ends");
  expect(said(request)).toContain("50 GB");
  await ana.press(request, goAhead);
  const done = await story.sees(ana, ":white_check_mark:", "You can withdraw the cancellation until then");
  expect(platform.find("web-2").cancellation).not.toBeNull();
  await ana.press(done, "Keep it");
  await story.sees(ana, "its cancellation is withdrawn");
  expect(platform.find("web-2").cancellation).toBeNull();
});

test("a cancellation of a service billed by the hour says before anybody decides that the end may come within the hour", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("arena-1", { billing: { cycle: "hourly", amount: "0.0200", currency: "EUR", next_due_date: null } });
  const soon = "perhaps within the hour, since it is billed by the hour";
  for (const act of ["vps cancel cache-1", "service cancel cache-2", "service cancel arena-1"]) {
    const request = await story.ask(ana, `/${act}`, "asks to", soon, "until then");
    expect(said(request)).not.toContain("period");
  }
  await story.ask(ana, "/vps cancel web-2", "asks to", "when the paid period ends");
  const each = "Billed by the hour, and may end within the hour: `cache-1` and `cache-2`.";
  for (const act of ["vps cancel", "service cancel"]) {
    await story.ask(ana, `/${act} web-2 cache-1 cache-2`, "it ends when its paid period ends", each);
  }
  const atOnce = await story.ask(ana, "/vps cancel cache-1 cache-2 immediate=yes", "asks to", "cannot be undone");
  expect(said(atOnce)).not.toContain("within the hour");
});

test("an immediate cancellation says that there is no way back, before and after", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const name of ["web-2", "arena-1"]) {
    const request = await story.ask(ana, `/service cancel ${name} immediate=yes`, "asks to", "cannot be undone", name);
    await ana.press(request, goAhead);
    await story.sees(ana, `\`${name}\` has ended. There is no way back`);
    expect(platform.find(name).status).toBe("terminated");
  }
});

test("the card of a service leads on by one press: to its payment, its renewal and its end, and a failed build has its reason", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const buttons = async (typed: string) => {
    const card = await story.ask(ana, typed, "Refresh");
    return { words: said(card), labels: said(card).split("\n") };
  };
  for (const noun of ["vps", "service"]) {
    const { words, labels } = await buttons(`/${noun} show waiting-1`);
    expect(words, noun).toContain("once its document is paid");
    expect(
      labels.some((label) => label === "Pay…" || label === "Unpaid invoices"),
      noun,
    ).toBe(true);
    expect((await buttons(`/${noun} show failed-configuration`)).words, noun).toContain("The order itself must change");
  }
  for (const typed of ["/vps show web-1", "/dedicated show metal-1", "/service show arena-1"])
    expect((await buttons(typed)).labels, typed).toEqual(
      expect.arrayContaining(["Renew…", "Add-ons", "Cancel service…"]),
    );
});
