import { expect, test } from "vitest";
import { goAhead, said } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

test("resold services are listed, filtered by status and customer, and say whose they are", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const all = said(await story.ask(ana, "/reseller service list", "resold services"));
  expect(all).toContain("ACME-001");
  const acme = said(await story.ask(ana, "/reseller service list customer=acme-bakery", "resold to `acme-bakery`"));
  expect(acme).toContain("ACME-001");
  expect(acme).not.toContain("BOR-001");
  const suspended = await story.ask(ana, "/reseller service list customer=acme-bakery status=suspended", "suspended");
  expect(said(suspended)).toContain("ACME-003");
  expect(said(suspended)).not.toContain("ACME-001");
  const named = said(await story.ask(ana, '/reseller service list customer="Acme Bakery"', "resold to `acme-bakery`"));
  expect(named).toContain("ACME-001");
  await story.ask(ana, "/reseller service list customer=acmee", "there is no “acmee”", "acme-bakery");
  await story.ask(ana, "/reseller service list status=nonsense", "there is no “nonsense”", "not built");
});

test("a service's page shows whose it is, what it costs, and what the platform lays out", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  for (const payload of [null, 0, 1, 2]) {
    platform.settings.shapes.payload = payload;
    platform.settings.shapes.named = payload === 1;
    const card = await story.ask(ana, "/reseller service show ACME-001", "is running", "acme-bakery", "Suspend");
    await story.details(ana, card, "excl. VAT", "Network");
  }
});

test("suspending says that it is still billed, and the way back stands under it", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const done = await story.ask(
    ana,
    '/reseller service suspend ACME-001 force=yes reason="unpaid"',
    "is suspended",
    "still billed",
  );
  await story.pressing(ana, done, "Unsuspend", "is no longer suspended");
});

test("a suspension from a card asks first, and names what the customer loses", async () => {
  const story = await startResellerStory();
  const card = await story.ask(story.ana, "/reseller service show ACME-001", "is running");
  await story.pressing(
    story.ana,
    card,
    "Suspend",
    "Your customer can no longer use the service. The service is still billed to you",
  );
  expect(resellerWrites(story)).toEqual([]);
});

test("only an active service can be suspended, and that is said", async () => {
  const story = await startResellerStory();
  await story.ask(
    story.ana,
    "/reseller service suspend ACME-003 force=yes",
    "only an active service can be suspended",
    "Unsuspend",
  );
});

test("terminating asks first, names the customer, and a second time does nothing twice", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const request = await story.ask(ana, "/reseller service terminate ACME-001", "asks to", "sold to `acme-bakery`");
  expect(said(request)).toContain("cannot be undone");
  await story.pressing(ana, request, goAhead, "is terminated and no longer billed to you");
  await story.ask(ana, "/reseller service terminate ACME-001", "is terminated already");
  expect(resellerWrites(story).filter(({ method }) => method === "DELETE")).toHaveLength(1);
  platform.clearCalls();
  await story.ask(ana, "/reseller service suspend ACME-001 force=yes", "only an active service can be suspended");
});

const lostWith: [service: string, loss: string][] = [
  [
    "ACME-001",
    "Its snapshots (`clean`), add-ons (2 × `Extra IPv4 address` and `Monitoring`) and address (`192.0.2.7`) will be lost.",
  ],
  ["BOR-002", "Its address (`192.0.2.42`) will be lost."],
  ["BOR-003", "Its backups (`before-the-patch`) will be lost."],
  ["BOR-004", "Its backups (`daily-1` and `daily-2`) and address (`192.0.2.39`) will be lost."],
];

test("the card of a termination names all that ends with the service, of whichever kind", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const set = await story.ask(
    ana,
    "/reseller service options set ACME-001 options='2 x Extra IPv4 address, Monitoring'",
    "add-ons of",
  );
  await story.pressing(ana, set, goAhead, "The add-ons of `web-2.example.test` are set");
  for (const [service, loss] of lostWith)
    await story.ask(
      ana,
      `/reseller service terminate ${service}`,
      "asks to",
      "with all its data",
      "cannot be undone",
      loss,
    );
  const several = await story.ask(ana, "/reseller service terminate ACME-001 ACME-002", "asks to", "192.0.2.7");
  expect(said(several)).toContain("Any snapshots, backups, add-ons and addresses will be lost.");
  expect(
    said(several)
      .split("\n")
      .filter((line) => line === "Address"),
  ).toHaveLength(1);
});

test.each([
  ["are refused", { status: 403, body: { success: false, error: "Snapshots are switched off" } }],
  ["fail", "500"],
  ["are not in the platform's own layout", "wrong-shape"],
] as const)(
  "the card of a termination calls the parts of a service unknown, and never none, if they %s",
  async (_, how) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    const isUnknown = "not shown by the platform";
    await story.ask(ana, "/reseller service terminate ACME-003", "Snapshots", isUnknown);
    platform.faults.next({ how, method: "GET", path: /\/(backups|options|document)$/, times: 1_000 });
    const request = await story.ask(ana, "/reseller service terminate ACME-001", "asks to", isUnknown);
    const card = said(request);
    expect(card).toContain(
      "Its snapshots and backups (unknown), add-ons (unknown) and address (`192.0.2.7`) will be lost.",
    );
    expect(card).not.toMatch(/^none$/m);
    await story.pressing(ana, request, goAhead, "is terminated and no longer billed to you");
  },
);

test("a provider's empty list of backups never reads as none on the card of a termination", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  Object.assign(platform.plugin("acme-cloud"), { reachable: false });
  const card = said(await story.ask(ana, "/reseller service terminate BOR-004", "asks to", "backups (unknown)"));
  expect(card).toContain("not shown by the platform");
});

const parts = /\/(backups|options|document)$/;

test.each(["ACME-001", "BOR-002", "BOR-004", "arena-1"])(
  "a read that fails at the press, or failed for the card alone, does not stop the termination of %s",
  async (service) => {
    for (const failsFirst of [false, true]) {
      const story = await startResellerStory();
      const { ana, platform } = story;
      const fail = () => platform.faults.next({ how: "500", method: "GET", path: parts, times: 1_000 });
      if (failsFirst) fail();
      const request = await story.ask(ana, `/reseller service terminate ${service}`, "asks to", "cannot be undone");
      if (failsFirst) platform.faults.resume();
      else fail();
      await story.pressing(ana, request, goAhead, "is terminated and no longer billed to you");
    }
  },
);

test("a snapshot that was taken since voids the request to terminate its VPS", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const request = await story.ask(ana, "/reseller service terminate ACME-001", "snapshots (`clean`)");
  await story.ask(ana, "/reseller service backup ACME-001 name=only-copy", "Backing up");
  await story.comesToSee(ana, "The backup `only-copy` is taken");
  await story.pressing(ana, request, goAhead, "Snapshots", "only-copy");
  expect(resellerWrites(story).filter(({ method }) => method === "DELETE")).toEqual([]);
});

test("one that had ended already by the time the platform looked is reported as that, and not as done twice", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const request = await story.ask(ana, "/reseller service terminate ACME-001", "asks to");
  const body = { success: true, data: { status: "terminated", alreadyTerminated: true } };
  platform.faults.next({ how: { status: 200, body }, method: "DELETE" });
  await story.pressing(ana, request, goAhead, "was terminated already. Nothing changed");
});

test("a list follows the limit that the platform answers with, whatever was asked for, and says that there is more", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const pageOf = (page: number, names: string[]) => {
    const services = names.map((hostname, at) => ({
      serviceId: `00000000-0000-4000-8000-0000000000${page}${at}`,
      status: "active",
      hostname,
    }));
    const pagination = { page, limit: 2, total: 3, totalPages: 2 };
    return { status: 200, body: { success: true, data: { services, pagination } } };
  };
  const path = "/reseller/services";
  platform.faults.next({ how: pageOf(1, ["one.example.test", "two.example.test"]), method: "GET", path });
  platform.faults.next({ how: pageOf(2, ["three.example.test"]), method: "GET", path });
  const first = await story.ask(ana, "/reseller service list", "3 resold services", "page 1 of 2", "two.example");
  expect(said(first)).not.toContain("three.example.test");
  await story.pressing(ana, first, "Next", "page 2 of 2", "three.example.test");
});

test("one that ended between the question and the press voids the question, and nothing is sent", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const request = await story.ask(ana, "/reseller service terminate ACME-001", "asks to");
  platform.change("web-2", { status: "terminated" });
  await story.pressing(ana, request, goAhead, "is terminated already");
  expect(resellerWrites(story)).toEqual([]);
});

const statuses = [
  ["pending_payment", "with the status awaiting payment", "waiting-1"],
  ["awaiting payment", "with the status awaiting payment", "waiting-1"],
  ["not built", "with the status not built", "failed-capacity"],
  ["provisioning_failed", "with the status not built", "failed-capacity"],
  ["withheld", "withheld resold service", "web-2"],
  ["fraud", "withheld resold service", "web-2"],
  ["susp", "suspended resold service", "suspended-1"],
] as const;

test("services are listed by any word for a status, and the heading has the word of the rows", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.reseller.withhold(platform.find("web-2").id);
  for (const [typed, words, name] of statuses)
    await story.ask(ana, `/reseller service list status="${typed}"`, words, `${name}.example.test`);
});

test("a service that is missing or somebody else's is answered with both, since the platform shows no difference", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const missing = "00000000-0000-4000-8000-000000000000";
  for (const id of [missing, platform.find("outsider-1").id]) {
    const answer = await story.ask(
      ana,
      `/reseller service show ${id}`,
      "There is no resold service with the id",
      "or your key cannot see it",
    );
    expect(said(answer)).not.toContain("outsider-1");
  }
});
