import { expect, test } from "vitest";
import { lowerFirst } from "../../../src/views/text.ts";
import { answerWith, showNothingNew, waits } from "../nothing-new.ts";
import { backOut, decision, goAhead, type Story, said, startStory, writeRoutes, writes } from "../story.ts";
import { columnOf } from "../tables.ts";

test("the list: one call for the first page, pages by buttons, filters with their age", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.clearCalls();
  platform.addVps(150, "estate");
  const list = await story.ask(ana, "/vps list", "page 1 of 2");
  expect(platform.calls().filter(({ key, path }) => key === "ana" && path !== "/locations")).toHaveLength(1);
  const second = await story.pressing(ana, list, "Next", "page 2 of 2");
  await story.pressing(ana, second, "Back", "page 1 of 2");
  const stopped = said(await story.ask(ana, "/vps list status=stopped", "As known"));
  expect(stopped).toContain("worker-2");
  expect(stopped).not.toContain("`web-1`");
  const text = said(await story.ask(ana, "/vps list web project=production", "As known"));
  expect(text).toContain("web-1");
  await story.ask(ana, "/vps list sort=project", "As known");
});

test("a verb on a named machine costs two calls once its name is in the index", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/vps show web-2", "is running");
  platform.clearCalls();
  await story.ask(ana, "/vps move web-1 project=Staging", "moved from");
  const calls = platform.calls().filter(({ path }) => path.startsWith("/vps"));
  expect(calls.map(({ method }) => method)).toEqual(["GET", "PATCH"]);
});

/** By machine: the texts of its card, and the buttons that it must not have. */
const cards: [name: string, shown: string[], hidden: string[]][] = [
  ["web-1", ["is running", "Reboot", "Snapshots", "Reinstall…", "Cancel service…"], ["Start", "Keep it"]],
  ["worker-2", ["is stopped", "Start"], ["Reboot", "New password"]],
  ["db-2", ["It is cancelled and ends", "Keep it"], ["Cancel service…"]],
  ["suspended-1", ["It is suspended"], ["Start", "Reinstall…", "Snapshots", "Cancel service…"]],
  ["build-1", ["is pending"], ["Reboot", "Cancel service…"]],
  ["frozen-1", ["Its cluster is frozen"], ["Reboot", "Reinstall…"]],
  ["shared-1", ["runs on a shared cluster"], ["Reboot", "Reinstall…"]],
  ["plugin-1", ["An outside provider runs it"], ["Snapshots"]],
  ["no-snapshots", ["is running"], ["Snapshots"]],
  ["failed-ip-capacity", ["The build failed", "Another location may work", "Cancel service…"], ["Reboot"]],
  ["failed-storage-capacity", ["Try again once"], ["Reboot"]],
  ["failed-configuration", ["The order itself must change"], ["Reboot"]],
  ["gone-1", ["is terminated"], ["Cancel service…", "Start"]],
  ["rescue-1", ["rescue mode"], []],
  ["reinstall-failed", ["The last installation of an operating system failed"], []],
  ["price-unknown", ["96.00 (currency unknown) a year"], []],
  ["cache-1", ["0.015 EUR"], []],
];

test("the card of a machine says how it is and offers only what would be accepted, in every state", async () => {
  const story = await startStory({ linked: ["ana"] });
  for (const [name, shown, hidden] of cards) {
    const answer = await story.ask(story.ana, `/vps show ${name}`, `\`${name}\``, "Refresh");
    const card = said(answer);
    const details = await story.details(story.ana, answer);
    for (const text of shown) expect(card + details, name).toContain(text);
    const buttons = card.split("\n");
    for (const label of hidden) expect(buttons, name).not.toContain(label);
  }
});

test("addresses and usage of a machine are shown, whatever their shape", async () => {
  const story = await startStory({ linked: ["ana"] });
  for (const name of ["web-1", "web-2", "db-1", "mail", "cache-1", "six-only"]) {
    await story.ask(story.ana, `/vps ips ${name}`, "address", name);
    await story.ask(story.ana, `/vps stats ${name}`, `Usage of \`${name}\``);
  }
});

test("images are those that a reinstall accepts; none is said", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, "/vps images web-1", "Debian 13");
  await story.ask(story.ana, "/vps images no-images", "No operating system is enabled");
  await story.ana.type("/vps reinstall no-images");
  await story.modal(story.ana, "nothing to choose");
});

test("a start, stop, shutdown and reboot is announced, followed and ended", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  for (const [typed, doing, end] of [
    ["/vps start worker-2", "Starting", "`worker-2` is running"],
    ["/vps stop web-2 force=yes", "Stopping", "`web-2` is stopped"],
    ["/vps shutdown db-1 force=yes", "Stopping", "`db-1` is stopped"],
    ["/vps reboot web-1 force=yes", "Rebooting", "`web-1` is running again"],
    ["/vps restart web-1 force=yes", "Rebooting", "`web-1` is running again"],
  ] as const) {
    await story.ask(ana, typed, doing, `<@${ana.user.id}>`);
    await story.comesToSee(ana, end);
  }
  // The spec says that a shutdown is a stop, and a restart a reboot: nobody is asked about the other name.
  const sent = ["start", "stop", "stop", "reboot", "reboot"];
  expect(writeRoutes(story)).toEqual(sent.map((verb) => `POST /vps/{id}/${verb}`));
});

test("power by name sends exactly that, and a stop offers the start", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps power web-2 action=poweroff force=yes", "Cutting the power of");
  await story.comesToSee(ana, "is stopped");
  expect(writeRoutes(story)).toEqual(["POST /vps/{id}/power/poweroff"]);
  const end = ana.sees().find((message) => said(message).split("\n").includes("Start"));
  if (!end) throw new Error("no way back was offered");
  await story.pressing(ana, end, "Start", "Starting");
});

test("a revert whose answer was lost stays unknown when its snapshot is gone as well", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const revert = await story.ask(ana, "/vps revert web-1 snapshot=before-upgrade", "asks to");
  platform.faults.next({ how: "500", applied: false, method: "POST", path: /revert$/ });
  await story.pressing(ana, revert, goAhead, "I am checking the outcome");
  platform.change("web-1", { snapshots: [] });
  await story.comesToSee(ana, "The outcome stays unknown");
  expect(ana.sees().map(said).join()).not.toContain("It was not done");
});

test("snapshots: taken, listed with what each would destroy, reverted with the loss spelled out, deleted", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const list = await story.ask(
    ana,
    "/vps snapshots web-1",
    "3 of 5",
    "Reverting to it destroys `weekly-1`, `weekly-2`",
  );
  await ana.press(list, { label: "Revert…", index: 0 });
  const revert = await story.sees(
    ana,
    "asks to",
    "`weekly-1` and `weekly-2` will be destroyed as well",
    "cannot be undone",
  );
  await story.pressing(ana, revert, goAhead, "Reverting");
  await story.comesToSee(ana, "The disk is as it was in `before-upgrade`");
  expect(platform.findVps("web-1").snapshots.map(({ name }) => name)).toEqual(["before-upgrade"]);
  const remove = await story.ask(ana, "/vps snapshot delete web-1 snapshot=before-upgrade", "Nothing can be restored");
  await story.pressing(ana, remove, goAhead, "Deleting");
  await story.comesToSee(ana, "is deleted. It took");
  await story.ask(ana, "/vps snapshots plan-without-snapshots", "has no snapshots");
});

const revertPath = "/vps/{id}/snapshots/{snapshotId}/revert";

test.each([
  ["/vps revert web-1 snapshot=before-upgrade", "Reverting", "the revert to `before-upgrade`", "The disk is as it was"],
  [
    "/vps snapshot delete web-1 snapshot=before-upgrade",
    "Deleting",
    "the deletion of the snapshot `before-upgrade`",
    "is deleted",
  ],
])(
  "%s is not over while the list reads as before it, and is in doubt if it stays so",
  async (command, doing, job, end) => {
    for (const begins of [true, false]) {
      const story = await startStory({ linked: ["ana"] });
      const { ana, platform } = story;
      showNothingNew(story, "/vps/{id}/snapshots");
      answerWith(story, revertPath, {});
      const request = await story.ask(ana, command, "asks to");
      await story.pressing(ana, request, goAhead, doing);
      await waits(story, 20);
      expect(ana.sees().map(said).join()).not.toMatch(/The disk is as it was|still exists|is deleted/);
      if (begins) platform.faults.resume();
      const words = begins ? [end] : [":grey_question:", `accepted ${job}, and does not show whether it ran`];
      await story.comesToSee(ana, ...words);
    }
  },
);

test.each([
  ["shows it running", (): void => {}],
  ["says that it is over", (story: Story) => answerWith(story, revertPath, { completed: true })],
  ["says nothing", (story: Story) => answerWith(story, revertPath, {})],
] as const)(
  "a revert that ends before the first look at it is done, where the platform's answer %s",
  async (_, answers) => {
    const story = await startStory({ linked: ["ana"], pace: 60 });
    const { ana } = story;
    answers(story);
    const request = await story.ask(ana, "/vps revert web-2 snapshot=clean", "asks to");
    await story.pressing(ana, request, goAhead, "Reverting");
    await story.comesToSee(ana, "The disk is as it was in `clean`");
  },
);

test.each([
  "/vps reboot web-1 force=yes",
  "/vps power web-1 action=restart force=yes",
  "/service restart web-1 force=yes",
  "/service reboot web-1 force=yes",
])("%s is never called done while no report shows that the machine was off", async (command) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  showNothingNew(story, "/vps/{id}");
  await ana.type(command);
  await story.comesToSee(ana, ":grey_question:", "`web-1` is running", "does not show if it ran");
  expect(ana.sees().map(said).join()).not.toContain("again");
});

test("a capture shows price and balance, is announced and followed to the image", async () => {
  const story = await startStory({ linked: ["ana"], pace: 10 });
  const { ana } = story;
  const request = await story.ask(ana, "/vps capture web-2 name=golden-2", "billed per GB and month", "250.00 EUR");
  await story.pressing(ana, request, goAhead, "Capturing");
  await story.comesToSee(ana, "`golden-2` is ready to use");
  expect(writeRoutes(story)).toEqual(["POST /vps/{id}/capture"]);
});

const isFinal = "This cannot be undone, and paid money is not refunded here.";

test.each(["vps", "service"])(
  "/%s cancel ends a failed build at once, and says before that it is final",
  async (noun) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana } = story;
    const command = `/${noun} cancel failed-capacity`;
    const request = await story.ask(ana, command, "was never built", "unpaid invoice or proforma", isFinal);
    expect((await decision(ana, request)).asks).toContain(isFinal);
    await story.pressing(ana, request, goAhead, "has ended");
  },
);

test("a form asks about the machine that was chosen last, although another one chosen before was read later", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, clock } = story;
  await ana.type("/vps reinstall");
  await story.modal(ana, '"action_id":"target"');
  platform.faults.next({ how: "late", method: "GET", path: "/vps/{id}", lateMs: 5_000 });
  platform.clearCalls();
  await ana.choose("modal", "target", "web-1");
  await story.slack.until(() => platform.calls().some(({ path }) => path.startsWith("/vps/")), "the first to be read");
  await ana.choose("modal", "target", "web-2");
  await story.modal(ana, "*VPS* `web-2`");
  clock.skip(5_000);
  // By then the first one was read, too.
  await story.ask(ana, "/vps show mail", "`mail`");
  expect(JSON.stringify(ana.modal())).toContain("*VPS* `web-2`");
});

test("an ambiguous name is settled inside the form, and one that was typed too long is kept there and refused in words", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/vps reinstall twin");
  await story.modal(ana, "means more than one VPS", "external_select");
  await ana.closeModal();
  await ana.type(`/vps capture name=${"x".repeat(500)}`);
  await story.modal(ana, "external_select", "xxx");
  await ana.choose("modal", "target", "web-2");
  expect(JSON.stringify(await ana.submit())).toContain("t most 120 characters");
});

test("the second page of a filtered list holds what the filter left, and no more", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.addVps(130, "estate");
  const list = await story.ask(ana, "/vps list status=running sort=name", "page 1 of 2");
  const second = await story.pressing(ana, list, "Next", "page 2 of 2");
  expect(new Set(columnOf(second, "State"))).toEqual(new Set(["running"]));
  const both = [...columnOf(list, "Name"), ...columnOf(second, "Name")];
  expect(new Set(both).size).toBe(both.length);
  expect(both.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(both);
});

test("a machine that is stuck offers what may save it before what erases it, and its start is followed to the end", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const [state, shown] of [
    ["error", "is in error"],
    ["paused", "is paused"],
  ] as const) {
    platform.change("web-1", { instance: { state } });
    const words = said(await story.ask(ana, "/vps show web-1", shown)).split("\n");
    expect(words.indexOf("Start"), state).toBeGreaterThan(0);
    expect(words.indexOf("Reboot"), state).toBe(words.indexOf("Start") + 1);
    for (const erasing of ["Reinstall…", "New password", "Cancel service…"])
      expect(
        words.indexOf(erasing) < 0 || words.indexOf(erasing) > words.indexOf("Reboot"),
        `${erasing} in ${state}`,
      ).toBe(true);
  }
  platform.change("web-1", { instance: { state: "error" } });
  const card = await story.ask(ana, "/vps show web-1", "is in error");
  await story.pressing(ana, card, "Start", "Starting `web-1`");
  await story.comesToSee(ana, "`web-1` is running.");
  expect(ana.sees().map(said).join()).not.toContain("is in state error now");
});

test("a machine that broke is named as people say it, on its card and among what needs attention", async () => {
  const { ana, platform, ask } = await startStory({ linked: ["ana"] });
  const broken = [
    ["web-1", "error", "is in error", "its machine is in error"],
    ["web-2", "orphaned", "is orphaned: it has lost its host", "its machine has lost its host"],
  ] as const;
  for (const [name, state] of broken) platform.change(name, { instance: { state } });
  for (const [name, , words] of broken) await ask(ana, `/vps show ${name}`, `*\`${name}\`* ${words}`);
  await ask(ana, "/rackbell attention", ...broken.map(([, , , trouble]) => trouble));
});

test.each([
  ["/vps show web-1", "/vps cancel web-1", "web-1"],
  ["/service show web-2", "/service cancel web-2 immediate=yes", "web-2"],
  ["/service show arena-1", "/service cancel arena-1", "arena-1"],
  ["/dedicated show metal-1", "/service cancel metal-1", "metal-1"],
])(
  "%s of a service that awaits payment offers its cancellation, and the platform decides it",
  async (card, command, name) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    platform.change(name, { status: "pending_payment" });
    await story.ask(ana, card, "Cancel service…");
    const request = await story.ask(ana, command, "was never built", "invoice or proforma may stay open");
    expect(said(request)).toContain(`If it ends at once, ${lowerFirst(isFinal)}`);
    expect(said(request)).not.toMatch(/will be lost|paid period|period end/);
    await story.pressing(ana, request, goAhead, "has ended");
    expect(writes(story)).toHaveLength(1);
  },
);

test.each(["vps", "service"])(
  "/%s cancel of several says of those that were never built how they end, and of the rest what is lost",
  async (noun) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    platform.change("web-2", { status: "pending_payment" });
    const request = await story.ask(
      ana,
      `/${noun} cancel web-1 web-2 failed-capacity`,
      "For each of 3",
      "if it is built",
    );
    expect(said(request)).toMatch(
      /Never built\. This will cancel it\. .* may stay open\. If it ends at once, .*: `web-2`/,
    );
    expect(said(request)).toMatch(/Never built\. This will terminate it, .* proforma for it\. .*: `failed-capacity`/);
    expect(said(request)).toContain(`${isFinal.slice(0, -1)}: \`failed-capacity\``);
  },
);

test.each([
  ["/vps cancel web-1", "pending_payment", "web-1"],
  ["/service cancel arena-1", "pending_payment", "arena-1"],
  ["/vps cancel web-1", "provisioning_failed", "web-1"],
  ["/service cancel web-1", "provisioning_failed", "web-1"],
] as const)(
  "%s, where the service was never built and is %s, says how much of its invoice is paid",
  async (command, status, name) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    platform.change(name, { status });
    const { number } = platform.bill(`Setup of ${name}`, 1_000);
    const payPart = async (amount: string) => {
      const pay = await story.ask(ana, `/billing pay ${number} amount=${amount}`, "from the credit balance");
      await story.pressing(ana, pay, goAhead, "paid on");
    };
    const first = await story.ask(ana, command, "was never built");
    expect(said(first)).not.toMatch(/[A-Z]{3} of the invoice/);
    await story.pressing(ana, first, backOut, "withdrawn");
    await payPart("2.50");
    story.clock.skip(60_000);
    const request = await story.ask(ana, command, `2.50 EUR of the invoice \`${number}\` for it is paid already.`);
    expect((await decision(ana, request)).asks).toContain("2.50 EUR of the invoice");
    const several = await story.ask(
      ana,
      `${command} web-2`,
      `2.50 EUR of the invoice \`${number}\` for it is paid already: \`${name}\`.`,
    );
    await payPart("1.50");
    await story.pressing(ana, several, goAhead, "*Paid already* changed", name);
    await story.pressing(
      ana,
      request,
      goAhead,
      "*Paid already* changed",
      "4.00 EUR of the invoice",
      "Nothing was done",
    );
  },
);

test("a service that awaits payment, of which the platform does not show the document, says that a paid one may be its", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-1", { status: "pending_payment" });
  const { number } = platform.bill("Setup", 1_000);
  const pay = await story.ask(ana, `/billing pay ${number} amount=2.50`, "from the credit balance");
  await story.pressing(ana, pay, goAhead, "paid on");
  const request = await story.ask(ana, "/vps cancel web-1", "The platform does not show which document is for it");
  expect(said(request)).toContain(`2.50 EUR of the invoice \`${number}\``);
});

test.each([
  ["vps", "DELETE", "/vps/{id}"],
  ["service", "POST", "/services/{id}/cancel"],
])(
  "a /%s cancel at once that the platform only schedules is not called done, and the next press ends it",
  async (noun, method, path) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const ends = "2031-01-01T00:00:00Z";
    const request = await story.ask(ana, `/${noun} cancel web-2 immediate=yes`, "terminate `web-2`");
    const body = { success: true, data: { cancellation_scheduled_date: ends } };
    platform.faults.next({ how: { status: 200, body }, method, path, applied: false });
    platform.change("web-2", { cancellation: { scheduled_date: ends } });
    const answer = await story.pressing(ana, request, goAhead, "did not end it at once", "`web-2` ends", "Keep it");
    expect(said(answer)).not.toContain(":white_check_mark:");
    const again = await story.pressing(ana, answer, "Cancel it now…", "asks to", "terminate `web-2`");
    await story.pressing(ana, again, goAhead, "`web-2` has ended. There is no way back");
    expect(platform.find("web-2").status).toBe("terminated");
  },
);

test("a service that awaits payment, which the platform ends later, is not said to have a paid period", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-2", { status: "pending_payment" });
  const request = await story.ask(ana, "/vps cancel web-2", "was never built");
  const body = { success: true, data: { cancellation_scheduled_date: "2031-01-01T00:00:00Z" } };
  platform.faults.next({ how: { status: 200, body }, method: "DELETE", path: "/vps/{id}" });
  const answer = await story.pressing(ana, request, goAhead, "`web-2` ends", "You can withdraw");
  expect(said(answer)).not.toContain("paid period");
});
