import { expect, test } from "vitest";
import { registry } from "../../../src/operations/index.ts";
import { reviewOf } from "../ordering.ts";
import { newPublicKey } from "../public-keys.ts";
import { reviewOf as wholesaleReviewOf } from "../reseller/ordering.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { goAhead, type Story, startStory } from "../story.ts";

/** Makes or renames one resource, and returns the name that the app knows it by. */
type Make = (story: Story) => Promise<string>;

function typing(command: string, name: string, ...texts: string[]): Make {
  return async (story) => {
    await story.ask(story.ana, command, ...texts);
    return name;
  };
}

function pressing(command: string, name: string, question: string, ...texts: string[]): Make {
  return async (story) => {
    const review = await story.ask(story.ana, command, question);
    await story.pressing(story.ana, review, goAhead, ...texts);
    return name;
  };
}

const host = "fresh-1.example.test";

async function order(story: Story): Promise<void> {
  const review = await reviewOf(story, story.ana, `VPS S hostname=${host}`);
  await story.pressing(story.ana, review, goAhead, "Ordered");
}

async function wholesaleOrder(story: Story): Promise<void> {
  const review = await wholesaleReviewOf(story, story.ana, `"VPS S" hostname=${host}`);
  await story.pressing(story.ana, review, goAhead, "Ordered");
}

const byHost: Make = async (story) => {
  await order(story);
  return host;
};

const image = `url=https://images.example.org/own.qcow2 sha256=${"a".repeat(64)}`;

/**
 * For each kind of resource that a member names: the command that shows one, and the ways to make or rename one. `atOnce`: the path of
 * the list, where the answer has a button to the new resource, so that it enters the name index without the list being read again.
 */
const made: Record<string, { show: string; ways: Make[]; atOnce?: string }> = {
  "customer vps": { show: "/vps show", ways: [byHost] },
  "customer service": { show: "/service show", ways: [byHost] },
  "customer order": {
    show: "/order show",
    atOnce: "/orders",
    ways: [
      byHost,
      async (story) => {
        await order(story);
        return story.platform.orders().at(-1)?.number ?? "";
      },
    ],
  },
  "customer document": {
    show: "/billing show",
    atOnce: "/invoices",
    ways: [
      async (story) => {
        const review = await story.ask(story.ana, "/service renew db-1", "the next renewal");
        await story.pressing(story.ana, review, goAhead, "Pay…");
        return story.platform.documents().at(-1)?.number ?? "";
      },
    ],
  },
  "customer image": {
    show: "/image show",
    ways: [
      pressing(`/image register name=fresh-image ${image}`, "fresh-image", "by disk size and month", "is registered"),
      pressing("/vps capture web-1 name=fresh-copy", "fresh-copy", "Capture web-1", "Capturing"),
    ],
  },
  "customer sshkey": {
    show: "/sshkey show",
    ways: [typing(`/sshkey add name=fresh-key public="${newPublicKey()}"`, "fresh-key", "is stored")],
  },
  "customer project": {
    show: "/project show",
    ways: [
      typing("/project create name=fresh-project", "fresh-project", "`fresh-project`"),
      typing("/project change staging name=fresh-name", "fresh-name", "`fresh-name`"),
    ],
  },
  "reseller order": {
    show: "/reseller order show",
    atOnce: "/reseller/orders",
    ways: [
      async (story) => {
        await wholesaleOrder(story);
        return story.platform.reseller.orders().at(-1)?.number ?? "";
      },
    ],
  },
  "reseller service": {
    show: "/reseller service show",
    ways: [
      async (story) => {
        await wholesaleOrder(story);
        return host;
      },
    ],
  },
  "reseller customer": {
    show: "/reseller customer show",
    ways: [
      typing("/reseller customer create fresh-7 name=Fresh", "fresh-7", "is added"),
      typing("/reseller customer change acme-bakery name=Renamed", "Renamed", "`Renamed`"),
    ],
  },
};

/** The supplier makes these, or an order does, or they have no name: a captured image is known by its id alone. */
const notNamed = [
  ...["customer dedicated", "customer game", "customer product"],
  ...["reseller product", "reseller payment", "reseller captured image"],
];

test("each kind of resource that a member can name is made in this file, or by nobody here", () => {
  const kinds = registry.all.flatMap(({ api, target }) => (target ? [`${api} ${target.noun}`] : []));
  expect([...new Set(kinds)].sort()).toEqual([...Object.keys(made), ...notNamed].sort());
});

function listReads({ platform }: Story, path: string | undefined): number {
  return platform.calls().filter((call) => call.method === "GET" && call.path === path).length;
}

/** The resold services have some that show no name: nobody can say then that there is none. */
const unknown = /You have no|finds no/;
const notUnknown = /^(?![\s\S]*(?:You have no|finds no))/;

for (const [kind, { show, ways, atOnce }] of Object.entries(made)) {
  for (const [at, make] of ways.entries()) {
    test(`the name of ${kind} is found as soon as it is made or given, in a list too long to be read again (${at})`, async () => {
      const story = kind.startsWith("customer")
        ? await startStory({ linked: ["ana"] })
        : await startResellerStory({ linked: ["ana"] });
      story.platform.settings.pageCap = 1;
      await story.ask(story.ana, `${show} no-such-name-at-all`, unknown, "Rackbell read the list of your", "just now");
      const name = await make(story);
      const before = listReads(story, atOnce);
      // A card has a machine's name, and its host name among the details.
      await story.ask(story.ana, `${show} ${name}`, name.split(".")[0] ?? name, notUnknown);
      expect(listReads(story, atOnce)).toBe(before);
    });
  }
}

/** The routes that find by an exact name (customer spec section 4.6, reseller spec section 4). */
const findable = ["customer vps", "customer service", "customer order", "reseller customer"];

test.each(findable)(
  "the name of %s that a colleague made is asked of the platform before it is called unknown",
  async (kind) => {
    const { show = "", ways: [make] = [] } = made[kind] ?? {};
    const story = kind.startsWith("customer")
      ? await startStory({ linked: ["ana", "ben"] })
      : await startResellerStory({ partners: ["ana", "ben"] });
    const { ben, clock, platform } = story;
    platform.settings.pageCap = 1;
    await story.ask(ben, `${show} no-such-name-at-all`, "just now");
    const name = await make?.(story);
    clock.skip(12_000);
    await story.ask(ben, `${show} no-such-name-at-all`, /1\d s ago/);
    await story.ask(ben, `${show} ${name}`, notUnknown, "fresh");
  },
);
