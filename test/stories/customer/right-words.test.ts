import { expect, test } from "vitest";
import { page } from "../ordering.ts";
import { newPublicKey } from "../public-keys.ts";
import { goAhead, said, startStory, writes } from "../story.ts";

test("another word for an order leads to the order form", async () => {
  const story = await startStory({ linked: ["ana"] });
  for (const command of ["/vps order VPS M", "/order buy VPS M", "/service buy VPS M", "/catalog order VPS M"])
    await story.ask(story.ana, command, "by another name", "/order new");
});

test("a document that is paid in part stays on Home and under the unpaid ones, whatever the platform calls it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack } = story;
  const [first] = platform.documents().filter(({ status, type }) => status === "unpaid" && type === "invoice");
  platform.payLater(first?.id ?? "");
  await story.ask(ana, "/billing invoices unpaid", first?.number ?? "none");
  await ana.openHome();
  await slack.until(() => (JSON.stringify(ana.home()) ?? "").includes(first?.number ?? "none"), "the document on Home");
});

test("a dedicated server that is not being built is not called so, and none has a green dot in the list, which knows no power", async () => {
  const story = await startStory({ linked: ["ana"] });
  for (const [status, words] of [
    ["terminated", "is terminated"],
    ["pending_payment", "is awaiting payment"],
    ["provisioning_failed", "is not built"],
  ] as const) {
    story.platform.change("metal-pending", { status });
    expect(said(await story.ask(story.ana, "/dedicated show metal-pending", words))).not.toContain("being built");
  }
  const list = await story.ask(story.ana, "/dedicated list", "5 dedicated servers");
  expect(JSON.stringify(list.blocks)).not.toContain("green_circle");
  await story.ask(story.ana, "/dedicated show metal-1", ":large_green_circle:");
});

test("a damaged public key is refused in the form of an order", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const [kind, blob = ""] = newPublicKey().split(" ");
  await ana.type("/order new VPS M");
  await page(story, ana, "Order");
  await ana.fill({ Billed: "monthly", Location: "Madrid" });
  await ana.fill({ "More SSH public keys": `${newPublicKey()}\n${kind} ${blob.slice(0, 40)}` });
  expect(await ana.submit()).toMatchObject({
    errors: { pasted: expect.stringMatching(/Line 2 .*cut off or damaged/) },
  });
  await ana.fill({ "More SSH public keys": newPublicKey() });
  await ana.submit();
  await story.sees(ana, "1 × `VPS M`", "1 key");
});

test("a service that was stopped is offered to be started, even if the platform only says ok", async () => {
  const story = await startStory({ linked: ["ana"] });
  const ok = { status: 200, body: { success: true, data: "ok" } };
  story.platform.faults.next({ how: ok, method: "POST", path: "/services/{id}/power/{action}" });
  const stopped = await story.ask(
    story.ana,
    "/service stop metal-1 force=yes",
    "Stopping `metal-1`",
    "Nothing shows when that has ended",
  );
  expect(said(stopped).split("\n")).toContain("Start");
});

test("a document without a rest asks nobody to pay nothing", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const [first] = platform.documents().filter(({ status, type }) => status === "unpaid" && type === "invoice");
  const document = { id: first?.id, status: "unpaid", total: "5.00", number: first?.number };
  const body = { success: true, data: { ...document, paid_amount: "5.00", remaining_amount: "0.00", settled: false } };
  platform.faults.next({ how: { status: 200, body }, path: "/invoices/{id}", times: 9 });
  const answer = await story.ask(ana, `/billing pay ${first?.number}`, "Nothing was paid");
  expect(said(answer)).not.toContain("0.00");
  expect(writes(story)).toEqual([]);
});

test("a VPS that names no capabilities can still be kept and cancelled from its card", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const [name, label] of [
    ["db-2", "Keep it"],
    ["web-2", "Cancel service…"],
  ] as const) {
    const url = `${platform.url}/vps/${platform.findVps(name).id}`;
    const read = await fetch(url, { headers: { authorization: `Bearer ${platform.keys.ana.key}` } });
    const row = await read.json();
    const body = { ...row, data: { ...row.data, capabilities: null } };
    platform.faults.next({ how: { status: 200, body }, method: "GET", path: "/vps/{id}", times: 1 });
    const card = await story.ask(ana, `/vps show ${name}`, name);
    expect(JSON.stringify(card.blocks)).toContain(label);
  }
});

test("an image is registered by a member who may not see the balance", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const forbidden = { status: 403, body: { success: false, code: "FORBIDDEN", error: "Insufficient permissions" } };
  platform.faults.next({ how: forbidden, path: "/account/balance", times: 9 });
  const address = "https://images.example.com/debian.qcow2";
  const command = `/image register name=bsd url=${address} sha256=${"0123456789abcdef".repeat(4)}`;
  const request = await story.ask(ana, command, "Register image");
  await story.pressing(ana, request, goAhead, "is registered");
});

test("a provider's failure is not called a fault of the platform", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const body = { success: false, code: "PROVIDER_UNAVAILABLE", error: "The provider is unreachable" };
  platform.faults.next({ how: { status: 503, body }, path: "/vps", times: 9 });
  const answer = await story.ask(ana, "/vps list", "A provider behind the platform");
  expect(said(answer)).not.toContain("fault of its own");
});
