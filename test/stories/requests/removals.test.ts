import { expect, test } from "vitest";
import { z } from "zod";
import { operations } from "../../../src/operations/index.ts";
import { resoldService } from "../../../src/operations/reseller/service/service.ts";
import { service } from "../../../src/operations/service/service.ts";
import { vps } from "../../../src/operations/vps/vps.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { decision, goAhead, type Message, type Story, said } from "../story.ts";

// An act that may take something away, or may not: where it does, everybody who decides reads the loss beside a red button.

interface Removal {
  /** Makes the state that it needs. */
  prepare?: (story: Story) => Promise<unknown>;
  /** The command that takes something away, with its form where it asks for a secret. */
  ask: (story: Story) => Promise<Message>;
  loss: string;
}

const shrunk = "The disk will shrink from 50 GB to 25 GB. Data that does not fit will be lost.";

/** One for each operation whose input or target decides if it takes something away. */
const removals: Record<string, Removal> = {
  "service run": {
    ask: ({ ask, ana }) => ask(ana, "/service run plugin-1 action=rebuild-network", "asks to"),
    loss: "Rackbell does not know its effect",
  },
  "service password": {
    async ask({ ana, modal, sees }) {
      await ana.type("/service password metal-1");
      await modal(ana, "New root password");
      await ana.submit();
      return sees(ana, "asks to");
    },
    loss: "this will rebuild it with its present system and erase everything on its disks for good.",
  },
  "service upgrade": {
    ask: ({ ask, ana }) => ask(ana, '/service upgrade web-2 to="VPS S"', "asks to"),
    loss: shrunk,
  },
  "service options change": {
    ask: ({ ask, ana }) => ask(ana, '/service options change web-1 add=Monitoring remove="Daily backup"', "asks to"),
    loss: "`Daily backup` will end, and its data, backups or addresses will be lost.",
  },
  "billing pay": {
    async prepare({ ana, ask, pressing, platform }) {
      platform.changeProduct("VPS L", { specs: { cpu: 4, ram: 8192, storage: 25 } });
      await pressing(ana, await ask(ana, '/service upgrade web-2 to="VPS L"', "asks to"), goAhead, "is requested");
    },
    ask: ({ ask, ana, platform }) => ask(ana, `/billing pay ${platform.documents().at(-1)?.number}`, "asks to"),
    loss: shrunk,
  },
  "reseller service upgrade": {
    ask: ({ ask, ana }) => ask(ana, '/reseller service upgrade ACME-001 to="VPS S"', "asks to"),
    loss: shrunk,
  },
  "reseller service options set": {
    prepare: (story) => setOptions(story, '"2 x Extra IPv4 address"'),
    ask: ({ ask, ana }) =>
      ask(ana, '/reseller service options set ACME-002 options="1 x Extra IPv4 address, Monitoring"', "asks to"),
    loss: "1 × `Extra IPv4 address` will end, and its data, backups or addresses will be lost.",
  },
  "reseller order retry": {
    // The charge of a set that also removes an add-on fails. Charged again, the platform removes it.
    async prepare(story) {
      await setOptions(story, '"Daily backup"');
      story.platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
      const set = await story.ask(story.ana, "/reseller service options set ACME-002 options=Monitoring", "asks to");
      await story.pressing(story.ana, set, goAhead, "The charge failed");
    },
    ask: ({ ask, ana, platform }) =>
      ask(ana, `/reseller order retry ${platform.reseller.orders().at(-1)?.number} method=Wallet`, "asks to"),
    loss: "The platform does not name the add-ons of this order. Add-ons that it leaves out may end.",
  },
  "reseller service transit": {
    ask: ({ ask, ana }) =>
      ask(ana, "/reseller service transit transit-1.example.test prefixes=198.51.100.0/24", "asks to"),
    loss: "`192.0.2.0/24` will be withdrawn, and the internet will not reach its addresses.",
  },
  "reseller customer change": {
    ask: ({ ask, ana }) => ask(ana, `/reseller customer change acme-bakery metadata='{"tier":"silver"}'`, "asks to"),
    loss: "It leaves out `contact`, which will be lost.",
  },
  "reseller service run": {
    ask: ({ ask, ana }) => ask(ana, "/reseller service run BOR-004 action=rebuild-network", "asks to"),
    loss: "Rackbell does not know its effect",
  },
};

async function setOptions({ ana, ask, pressing }: Story, options: string) {
  const request = await ask(ana, `/reseller service options set ACME-002 options=${options}`, "will change");
  await pressing(ana, request, goAhead, "are set");
}

const removing = operations.flatMap((operation) =>
  operation.api !== "app" && [operation.act, ...(operation.writes ?? [])].some(({ removes }) => removes)
    ? [operation]
    : [],
);

test("every operation that may take something away can be one that destroys, and is here if it is not always one", () => {
  expect(removing.filter(({ risks }) => !risks.includes("destroy")).map(({ command }) => command)).toEqual([]);
  const some = removing.filter(({ risks }) => risks.length > 1).map(({ command }) => command);
  expect(Object.keys(removals).sort()).toEqual(some.sort());
});

test.each(Object.entries(removals))("%s shows in the channel, in red, what it takes away", async (_, removal) => {
  const story = await startResellerStory({ linked: ["ana", "ben"] });
  await removal.prepare?.(story);
  const request = await removal.ask(story);
  expect(request.ephemeralTo).toBeUndefined();
  expect(said(request)).toContain(removal.loss);
  expect(said(request)).not.toMatch(/balance: |250\.00/i);
  const { style, asks } = await decision(story.ana, request);
  expect(style).toBe("danger");
  expect(asks).toContain(removal.loss.replaceAll("`", ""));
});

test("a charge that is repeated while the service waits for another package says that this may begin, with its loss", async () => {
  const story = await startResellerStory();
  const { "reseller order retry": retry } = removals;
  await retry?.prepare?.(story);
  const data = { available: [], addons: [], pendingUpgrade: { id: "change", status: "awaiting_payment" } };
  const how = { status: 200, body: { success: true, data } };
  story.platform.faults.next({ how, method: "GET", path: "/reseller/services/{serviceId}/upgrades", times: 10 });
  const request = await retry?.ask(story);
  expect(request && said(request)).toContain("The package change of `mail.example.test` that waits may begin.");
  expect(request && said(request)).toContain("The platform does not name the new disk.");
});

test("a charge of an order of many services says that changes of them may begin, and reads none of them", async () => {
  const story = await startResellerStory();
  const { "reseller order retry": retry } = removals;
  await retry?.prepare?.(story);
  const rewrite = (body: unknown) => {
    const { data } = z.object({ data: z.looseObject({ services: z.array(z.looseObject({})) }) }).parse(body);
    const services = Array.from({ length: 21 }, (_, at) => ({ ...data.services[0], serviceId: `service-${at}` }));
    return { success: true, data: { ...data, services } };
  };
  story.platform.faults.next({ how: { rewrite }, method: "GET", path: "/reseller/orders/{orderId}", times: 10 });
  const request = await retry?.ask(story);
  expect(request && said(request)).toContain("Rackbell cannot read all services of the order, for it names 21.");
  expect(story.platform.calls().filter(({ path }) => path.startsWith("/reseller/services/service-"))).toEqual([]);
});

test("the member who ends one or several of a kind reads of each part that the kind loses with it", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  for (const [typed, { lostWith = [] }] of [
    ["/vps cancel web-1", vps],
    ["/vps cancel web-1 web-2 immediate=yes", vps],
    ["/service cancel arena-1", service],
    ["/service cancel arena-1 metal-1 immediate=yes", service],
    ["/reseller service terminate ACME-001 BOR-002", resoldService],
  ] as const) {
    expect(lostWith.length, typed).toBeGreaterThan(2);
    const card = said(await story.ask(story.ana, typed, "asks to", "will be lost"));
    for (const part of lostWith) expect.soft(card, typed).toContain(part);
  }
});
