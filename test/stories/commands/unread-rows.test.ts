import { expect, test } from "vitest";
import { operations, registry } from "../../../src/operations/index.ts";
import { prepareFor } from "../carrying.ts";
import { passRound, read } from "../polled.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { goAhead, said, startStory, writes } from "../story.ts";

// A platform in beta sends one row that is off its contract: a member must see the others, and must not take that one for gone.

/** Reads of one resource, of figures, and of answers that the specs do not show: no row of them can be off the contract. */
const others =
  /\}$|\/(account|balance|usage|transactions|actions|stats|traffic|network|health|document|provider|schema|status|ips|os-images|upgrades|power-status|provision-status)$|\/game\b/;
/** Lists among those routes, which the spec shows. */
const shown = ["vps ips", "vps images", "service upgrades"];

const lists = operations
  .filter(
    ({ api, risk, command }) =>
      api !== "app" &&
      risk === "read" &&
      // The card of a resource without a route of its own comes from the list.
      !command.endsWith(" show") &&
      (shown.includes(command) || !others.test(routeOf(command))),
  )
  // It is read from the name index, which reads the list of services once.
  .toSorted((one, other) => Number(other.command === "game list") - Number(one.command === "game list"));

test("each command that lists rows shows those that can be read, and names the one that cannot", async () => {
  const story = await startResellerStory({ linked: ["ana", "ben"] });
  for (const { command, example, target } of lists) {
    await prepareFor(story, example);
    const broken: number[] = [];
    const rewrite = (body: unknown) =>
      withBrokenRow(body, { isBare: bare.includes(command), notes: (rows) => broken.push(rows) });
    story.platform.faults.next({ how: { rewrite }, method: "GET", path: pathOf(command), times: 20 });
    const line = target ? example : `/${command}`;
    const answer = await story.ask(story.ana, line, "the platform sent it", "tomorrow-1").catch((error: unknown) => {
      const why = `${example} must list a row that is read whole: choose another, or prepare it in test/examples.ts`;
      throw new Error(why, { cause: error });
    });
    expect(said(answer), command).not.toMatch(/The platform's answer/);
    expect.soft(Math.max(...broken), `${example} lists no row: choose another in its declaration`).toBeGreaterThan(0);
    story.platform.faults.resume();
  }
}, 240_000);

test("beside a row that cannot be read, the others are found by name, acted on and chosen", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const spoil = (path: string) =>
    platform.faults.next({ how: { rewrite: (body) => withBrokenRow(body) }, method: "GET", path, times: 50 });
  spoil("/vps");
  spoil("/vps/{id}/os-images");
  spoil("/ssh-keys");
  await story.ask(ana, "/vps show web-1", "`web-1`* is running");
  await story.ask(ana, "/vps list text=tomorrow", "`tomorrow-1`", "cannot be read");
  await story.ask(ana, "/vps stop web-1", "web-1");
  const review = await story.ask(ana, '/sshkey delete "ana laptop"', "ana laptop");
  await story.pressing(ana, review, goAhead, "deleted");
});

test("a row that cannot be read is not taken for gone, and nothing is decided beside it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const refused = "The platform's answer does not follow its contract";
  const spoil = (path: string) =>
    platform.faults.next({ how: { rewrite: (body) => withBrokenRow(body) }, method: "GET", path, times: 50 });
  spoil("/ssh-keys");
  await story.ask(ana, "/sshkey show tomorrow-1", refused);
  spoil("/vps/{id}/snapshots");
  await story.ask(ana, "/vps snapshot delete web-1 snapshot=tomorrow-1", refused);
  // Restoring a snapshot destroys the newer ones, and one of them may be the row that cannot be read.
  await story.ask(ana, "/vps revert web-1 snapshot=weekly-1", refused);
  expect(writes(story)).toEqual([]);
});

test("an alert about a machine comes beside a row that cannot be read", async () => {
  const story = await read();
  const { ana, platform } = story;
  platform.faults.next({
    how: { rewrite: (body) => withBrokenRow(body) },
    method: "GET",
    path: "/vps",
    times: 50,
  });
  platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story);
  await story.sees(ana, "`web-1.example.test`", "has stopped");
});

function routeOf(command: string): string {
  return registry.find(command)?.routes[0] ?? "";
}

function pathOf(command: string): string {
  return routeOf(command).replace("GET ", command.startsWith("reseller") ? "/reseller" : "");
}

/** The fields by which a row is known. */
const kept = ["id", "serviceId", "serviceType", "kind"];
/** Their rows need nothing but an id. */
const bare = [
  ...["order list", "service backups"],
  ...["templates", "sshkeys", "options"].map((verb) => `reseller service ${verb}`),
];

/** An answer with a row more of each kind in its first list, off the contract in its own fields. `notes` gets the number of its rows. */
function withBrokenRow(
  body: unknown,
  { isBare = false, notes = () => {} }: { isBare?: boolean; notes?: (rows: number) => void } = {},
): unknown {
  const data: unknown = typeof body === "object" && body !== null && "data" in body ? body.data : null;
  const within: unknown[] = typeof data === "object" && data !== null ? Object.values(data) : [];
  const rows = [data, ...within].find((value) => Array.isArray(value)) ?? [];
  notes(rows.length);
  const broken = rows.map((row) => {
    const id = `of-tomorrow-${Object(row).serviceType}`;
    const ids = { id, serviceId: id, name: "tomorrow-1" };
    const fields = Object.keys(Object(row)).filter((field) => !kept.includes(field));
    return {
      ...row,
      ...Object.fromEntries(fields.map((field) => [field, { off: "contract" }])),
      ...ids,
      ...(isBare ? { id: { off: "contract" } } : {}),
    };
  });
  rows.push(...new Map(broken.map((row) => [`${row.serviceType} ${row.kind}`, row])).values());
  return body;
}
