import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { fileStore, startStory } from "../story.ts";

const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;

interface ReceivedEntry {
  id: string;
  path: string;
  body: string;
}

/** Takes each post that the library of Standard Webhooks verifies, and answers with the given status. `now`: its clock. */
async function collector(now: () => number) {
  const taken: ReceivedEntry[] = [];
  const refused: string[] = [];
  const answer = { status: 204, location: "" };
  const webhook = new Webhook(secret);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      // The library refuses what is five minutes old, and the story skips time.
      vi.setSystemTime(now());
      try {
        webhook.verify(body, headers);
        taken.push({ id: String(request.headers["webhook-id"]), path: request.url ?? "", body });
      } catch (error) {
        refused.push(String(error));
      } finally {
        vi.useRealTimers();
      }
      response.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port }: Partial<AddressInfo> = Object(server.address());
  return { taken, refused, answer, url: `http://127.0.0.1:${port}/ingest` };
}

test("each entry reaches the collector in order, signed as a library of Standard Webhooks verifies it, and an entry that it does not take is reported and sent again", async () => {
  const { taken, refused, answer, url } = await collector(() => clock.now());
  const environment = { AUDIT_URL: url, AUDIT_SECRET: secret, STORE_URL: fileStore() };
  const story = await startStory({ linked: ["ana"], environment });
  const { ana, clock } = story;
  const arrive = (count: number) =>
    expect
      .poll(() => {
        clock.skip(5_000);
        return new Set(taken.map(({ id }) => id)).size;
      })
      .toBe(count);

  await story.ask(ana, "/vps move mail project=Staging", "moved from");
  await arrive(2);
  const sent = taken.map(({ body }) => JSON.parse(body));
  expect(sent.map(({ metadata }) => metadata.event_code)).toEqual(["begun", "done"]);
  expect(sent[1]).toMatchObject({
    class_uid: 6003,
    type_uid: 600399,
    activity_name: "vps move",
    status: "Success",
    actor: { user: { name: ana.user.id } },
    api: { operation: "vps move", service: { name: "Rackbell" } },
    resources: [{ name: "mail" }],
    unmapped: { key_label: "ana" },
  });
  expect(taken.map(({ id }) => id)).toEqual(["audit-1", "audit-2"]);

  answer.status = 503;
  await story.ask(ana, "/vps move mail project=Default", "moved from");
  await arrive(3);
  const warning = "The audit has not reached its collector since";
  await story.askUntil(ana, "/rackbell status", warning, "it answers 503");
  const ready = await fetch(`${story.app.url}/readyz`);
  expect(ready.status).toBe(200);
  expect(await ready.text()).toMatch(new RegExp(`${warning} 20.*it answers 503`));

  // A redirect is no taking, and nothing goes where it leads.
  Object.assign(answer, { status: 307, location: `${url}/elsewhere` });
  await expect
    .poll(async () => {
      clock.skip(60_000);
      return (await fetch(`${story.app.url}/readyz`)).text();
    })
    .toContain("it answers 307, and redirects are not followed");
  expect(taken.filter(({ path }) => path !== "/ingest")).toEqual([]);

  // A restart goes on where it was.
  Object.assign(answer, { status: 200, location: "" });
  const before = taken.length;
  await story.restart();
  clock.skip(600_000);
  await arrive(4);
  expect(taken.slice(before).map(({ id }) => id)).toEqual(["audit-3", "audit-4"]);
  expect(await (await fetch(`${story.app.url}/readyz`)).text()).not.toContain(warning);
  expect(refused).toEqual([]);
  expect(story.log.join("")).not.toContain(secret.slice("whsec_".length));
  // Each brings the newest checkpoint, with which a file or the log is compared later.
  const { unmapped } = JSON.parse(taken.at(-1)?.body ?? "{}");
  await story.ask(ana, `/rackbell audit verify ${unmapped.checkpoint}`, "The checkpoint that you gave is in it");
});
