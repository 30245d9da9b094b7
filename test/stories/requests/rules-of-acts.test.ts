import { expect, test } from "vitest";
import { passkeysOn } from "../passkeys/passkeys.ts";
import { said, startStory, writes } from "../story.ts";

test("a rule about one command holds for the other names of its act, and saving it shows those", async () => {
  const story = await startStory({ linked: ["ana", "caro", "ben"], environment: passkeysOn });
  const { ana } = story;
  const saved = await story.ask(
    ana,
    '/rackbell policy add command="vps cancel" demand=two-approvals passkey=yes',
    "In effect",
  );
  expect(said(saved)).toContain("It also applies to `/service cancel`, where they do the same to the same kind.");
  await story.ask(ana, "/service cancel web-2", "This needs a passkey", "Two others than");
  await story.ask(ana, "/rackbell policy try service cancel web-1", "needs two approvals, and needs a passkey");
  // Several are asked for as one is.
  await story.ask(ana, "/service cancel web-1 db-1", "This needs a passkey", "Two others than");
  // A service of another kind is no VPS.
  expect(said(await story.ask(ana, "/rackbell policy try service cancel metal-1", "No rule matches"))).not.toContain(
    "passkey",
  );
  expect(writes(story)).toEqual([]);
});

test("a rule about a power command holds for the same action by name, and a rule that permits only for its own name", async () => {
  const story = await startStory({ linked: ["ana", "caro", "ben"] });
  const { ana } = story;
  await story.ask(
    ana,
    '/rackbell policy add command="vps stop" demand=one-approval',
    "In effect",
    "`/service shutdown`",
  );
  await story.ask(ana, "/vps power web-1 action=stop force=yes", "Somebody other than");
  await story.ask(ana, "/service stop web-2 force=yes", "Somebody other than");
  expect(writes(story)).toEqual([]);
  await story.ask(ana, "/rackbell policy try vps start web-2", "runs at once");
  const permitting = await story.ask(
    ana,
    '/rackbell policy add command="service shutdown" demand=allowed',
    "In effect",
  );
  expect(said(permitting)).not.toContain("It also applies");
  // A cancellation spends nothing, by whatever name.
  const ofSpending = '/rackbell policy add command="vps cancel" risk=spend demand=one-approval';
  expect(said(await story.ask(ana, ofSpending, "In effect"))).not.toContain("It also applies");
  await story.ask(ana, "/rackbell policy try vps shutdown web-1", "needs one approval");
});

test("an act that waits is not requested twice by another name of it", async () => {
  const story = await startStory({ linked: ["ana", "caro", "ben"], environment: { APPROVALS: "peer" } });
  const { ana } = story;
  await story.ask(ana, "/vps cancel web-2", "Somebody other than");
  await ana.type("/service cancel web-2");
  await story.sees(ana, "so nothing new was requested");
  await story.ask(ana, "/vps cancel db-1 worker-1", "Somebody other than");
  await ana.type("/service cancel db-1 worker-1");
  await story.sees(ana, "so nothing new was requested", "2 VPSes");
  await story.ask(ana, '/rackbell policy add command="vps power" demand=one-approval', "In effect");
  await story.ask(ana, "/vps stop web-1 force=yes", "Somebody other than");
  await ana.type("/vps power web-1 action=stop force=yes");
  await story.sees(ana, "so nothing new was requested", "web-1");
  expect(writes(story)).toEqual([]);
});
