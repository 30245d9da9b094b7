import { expect, test } from "vitest";
import { operations, registry } from "../../../src/operations/index.ts";
import { passRound, read } from "../polled.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { goAhead, said, startStory, writes } from "../story.ts";

// A platform in beta sends one row that is off its contract: a member must see the others, and must not take that one for gone.

/** Per command that lists rows: what is typed after it, and a field that its rows cannot be read without. */
const lists: Record<string, [after: string, field: string]> = {
  // First, since it is read from the name index, which reads the list of services once.
  "game list": ["", "status"],
  "vps list": ["", "status"],
  "vps ips": ["web-1", "version"],
  "vps images": ["web-1", "is_default"],
  "vps snapshots": ["web-1", "status"],
  "service list": ["", "status"],
  "service options": ["web-2", "status"],
  "service options available": ["web-2", "id"],
  "service upgrades": ["web-2", "netAmount"],
  "service backups": ["plugin-1", "id"],
  "dedicated list": ["", "status"],
  "catalog products": ["", "monthly_price"],
  "catalog locations": ["", "sold_out"],
  "catalog availability": ["VPS M", "available"],
  "order list": ["", "id"],
  "billing invoices": ["", "total"],
  "billing proformas": ["", "total"],
  "image list": ["", "status"],
  "sshkey list": ["", "created_at"],
  "project list": ["", "is_default"],
  "reseller product list": ["", "options"],
  "reseller order list": ["", "payment_status"],
  "reseller service list": ["", "status"],
  "reseller service backups": ["BOR-001", "status"],
  "reseller service templates": ["BOR-001", "id"],
  "reseller service console-casts": ["BOR-001", "status"],
  "reseller service sshkeys": ["BOR-002", "id"],
  "reseller service options": ["BOR-001", "id"],
  "reseller image list": ["", "status"],
  "reseller customer list": ["", "created_at"],
  "reseller payment list": ["", "isDefault"],
};

/** Fields of rows in lists that are empty in the practice platform, or begin with a row of another kind. */
const rowOf: Record<string, object> = {
  "game list": { serviceType: "game" },
  "service options": { id: "so1", option_id: "o1", status: "active" },
  "reseller service backups": {
    id: "b1",
    name: "before",
    status: "available",
    restorable: true,
    in_progress: false,
    destroys_on_restore: [],
    comes_back_running: true,
  },
  "reseller service console-casts": { id: "c1", label: "for Ada", status: "pending" },
};

test("each command that lists rows shows those that can be read, and names the one that cannot", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  for (const [command, [after, field]] of Object.entries(lists)) {
    story.platform.faults.next({
      how: { rewrite: (body) => withBrokenRow(body, field, rowOf[command]) },
      method: "GET",
      path: pathOf(command),
      times: 20,
    });
    const answer = await story.ask(story.ana, `/${command} ${after}`, "its contract does not allow", "tomorrow-1");
    expect(said(answer), command).not.toMatch(/The platform's answer/);
    story.platform.faults.resume();
  }
}, 90_000);

test("each list of the two APIs has a command there", () => {
  const routes = new Set(Object.keys(lists).map(routeOf));
  // One resource, figures, files, and what the specs do not show: no row of it can be off the contract.
  const others =
    /\}$|\/(account|balance|usage|transactions|actions|stats|traffic|network|health|document|provider|schema|status|ips|os-images|upgrades|power-status|provision-status)$|\/game\b/;
  const left = operations.filter(
    ({ api, risk, command }) =>
      api !== "app" && risk === "read" && !routes.has(routeOf(command)) && !others.test(routeOf(command)),
  );
  expect(left.map(({ command }) => command)).toEqual([]);
});

test("beside a row that cannot be read, the others are found by name, acted on and chosen", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const spoil = (path: string, field: string) =>
    platform.faults.next({ how: { rewrite: (body) => withBrokenRow(body, field) }, method: "GET", path, times: 50 });
  spoil("/vps", "status");
  spoil("/vps/{id}/os-images", "is_default");
  spoil("/ssh-keys", "created_at");
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
  const spoil = (path: string, field: string) =>
    platform.faults.next({ how: { rewrite: (body) => withBrokenRow(body, field) }, method: "GET", path, times: 50 });
  spoil("/ssh-keys", "created_at");
  await story.ask(ana, "/sshkey show tomorrow-1", refused);
  spoil("/vps/{id}/snapshots", "status");
  await story.ask(ana, "/vps snapshot delete web-1 snapshot=tomorrow-1", refused);
  // Restoring a snapshot destroys the newer ones, and one of them may be the row that cannot be read.
  await story.ask(ana, "/vps revert web-1 snapshot=weekly-1", refused);
  expect(writes(story)).toEqual([]);
});

test("an alert about a machine comes beside a row that cannot be read", async () => {
  const story = await read();
  const { ana, platform } = story;
  platform.faults.next({
    how: { rewrite: (body) => withBrokenRow(body, "status") },
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

/** An answer with one row more in its first list, which is off the contract in that field. */
function withBrokenRow(body: unknown, field: string, like?: object): unknown {
  const data: unknown = typeof body === "object" && body !== null && "data" in body ? body.data : null;
  const within: unknown[] = typeof data === "object" && data !== null ? Object.values(data) : [];
  const rows = [data, ...within].find((value) => Array.isArray(value)) ?? [];
  if (rows.length === 0) rows.push({ id: "one", ...like });
  const ids = { id: "of-tomorrow", serviceId: "of-tomorrow", name: "tomorrow-1" };
  rows.push({ ...rows[0], ...like, ...ids, [field]: { off: "contract" } });
  return body;
}
