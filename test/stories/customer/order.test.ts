import { expect, test } from "vitest";
import { productId } from "../../../src/sandbox/platform/world/catalogue.ts";
import { offered, orderCalls, ordersMade, page, reviewOf } from "../ordering.ts";
import { newPublicKey } from "../public-keys.ts";
import { goAhead, type Story, said, startStory } from "../story.ts";

/** A product is chosen in the open form, and the form shows what follows from it. */
async function choose(story: Story, product: string): Promise<void> {
  await story.modal(story.ana, '"choose:product"');
  await story.ana.choose("modal", "choose:product", product);
  await story.modal(story.ana, `*\`${product}\`*`, '"submit":{');
}

test("a server is ordered in one form, reviewed, paid with a button, and followed to its address", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  await ana.type("/order new");
  await choose(story, "VPS M");
  await page(story, story.ana, "Order");
  await story.modal(ana, "Sold out now: Helsinki", "10.00 EUR a month", "2 CPU · 4 GB memory");
  const places = JSON.stringify(await ana.suggest("modal", "Location", ""));
  expect(places).toContain("+2.00 EUR a month and +5.00 EUR for the setup");
  expect(places).not.toContain("Helsinki");
  // A search takes the code of a place as well as its name.
  const [frankfurt] = await ana.suggest("modal", "Location", "frankf");
  expect(frankfurt?.value).not.toMatch(/frankf/i);
  expect(await ana.suggest("modal", "Location", frankfurt?.value.toUpperCase() ?? "")).toEqual([frankfurt]);
  await ana.fill({ Billed: "monthly", Location: "Frankfurt", "Host name": "web-4.example.test" });
  await ana.fill({ System: "Ubuntu 26.04 LTS" });
  await ana.submit();
  const review = await story.sees(ana, "1 × `VPS M`, monthly", "17.00 EUR", "Your balance");
  expect(said(review)).toContain("Ubuntu 26.04 LTS");
  expect(said(review)).toContain("*Details* has");
  expect(orderCalls(story)).toHaveLength(0);
  expect(ana.modal()).toBeUndefined();
  await ana.press(review, goAhead);
  const notification = await story.sees(ben, "Ordered 1 × `VPS M`, monthly", "20.57 EUR");
  expect(said(notification)).not.toContain("250.00");
  await ana.press(await offered(story, ana, "Pay…"), "Pay…");
  const payment = await story.sees(ana, "20.57 EUR from the credit balance");
  await ana.press(payment, goAhead);
  await story.comesToSee(ana, "Paid for and being built");
  await story.comesToSee(ana, "is being installed");
  await story.comesToSee(ana, "1 server is ready");
  const vps = platform.findVps("web-4");
  await story.sees(ana, "`web-4` is at", vps.ip_addresses[0]?.address ?? "no address");
  expect(orderCalls(story)).toHaveLength(1);
  expect(vps).toMatchObject({ location: "de-fra", hostname: "web-4.example.test", ordered_os: "Ubuntu 26.04 LTS" });
});

test("the order carries the request's id as its key, and can be found by it and by its host name", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ana.press(await reviewOf(story, story.ana, "VPS S", { "Host name": "shop.example.test" }), goAhead);
  await story.sees(story.ana, "Ordered 1 ×");
  const [order] = story.platform.orders().filter(({ hostname }) => hostname === "shop.example.test");
  expect(order?.idempotency_key).toMatch(/^[0-9a-f-]{36}$/);
  await story.ask(story.ana, "/order list SHOP.example.test", "1 order", order?.number ?? "");
  await story.ask(story.ana, `/order list key=${order?.idempotency_key}`, "1 order", "for key");
  const card = await story.ask(story.ana, `/order show ${order?.number}`, "awaiting payment");
  expect(JSON.stringify(card.blocks)).toContain("Unpaid invoices");
  await story.ask(story.ana, "/order list nowhere.example.test", "There are no orders");
});

test("the list of open requests tells two orders of the same plan apart by their host names", async () => {
  const story = await startStory({ linked: ["ana"] });
  for (const host of ["shop.example.test", "mail.example.test"])
    await reviewOf(story, story.ana, "VPS S", { "Host name": host });
  await story.ask(story.ana, "/rackbell approvals", "Host name: `shop.example.test`", "Host name: `mail.example.test`");
});

test("the order form has the typed values filled in, and names the location that does not exist", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ana.type("/order new vps m cycle=quarterly location=Atlantis hostname=a.example.test quantity=3");
  await page(story, story.ana, "Order");
  await story.modal(
    story.ana,
    "There is no “Atlantis” to choose",
    '"initial_value":"3"',
    '"initial_value":"a.example.test"',
  );
  await story.ana.fill({ Location: "Madrid" });
  await story.ana.submit();
  const request = await story.sees(story.ana, "3 × `VPS M`, quarterly", "Your balance");
  expect(JSON.stringify(request.blocks)).toContain('"Order for 90.00 EUR before tax"');
  const review = said(request);
  expect(review).toContain("30.00 EUR a quarter each");
  expect(review).toContain("90.00 EUR before tax");
  expect(review).not.toContain("no sum beforehand");
});

test("a product that cannot be had is reported as soon as it is chosen, and another can be chosen there", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/order new hostname=kept.example.test");
  await story.modal(ana, '"choose:product"');
  await ana.choose("modal", "choose:product", "VPS sold out");
  await story.modal(ana, "is sold out", "Choose another product");
  expect(JSON.stringify(ana.modal())).not.toContain('"submit":{');
  await choose(story, "VPS unchecked");
  await story.modal(ana, "kept.example.test");
  await ana.type('/order new "VPS full"');
  await story.modal(ana, "has no room at the moment");
});

test("another product keeps what fits it, and what does not fit it is chosen anew without a complaint", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await ana.type("/order new VPS S");
  await page(story, ana, "Order");
  await ana.fill({ Billed: "quarterly", Location: "Madrid", System: "Debian 13", "Host name": "kept.example.test" });
  const places = platform.product("VPS L").locations;
  platform.changeProduct("VPS L", { locations: places.filter(({ value }) => value !== "es-mad") });
  await choose(story, "VPS L");
  // Slack keeps what was chosen under the id of an element, also what does not fit any more.
  const { state } = ana.modal() ?? {};
  expect(JSON.stringify(state)).not.toContain("es-mad");
  expect(JSON.stringify(state)).toContain("kept.example.test");
  await choose(story, "Mail hosting");
  await story.modal(ana, "kept.example.test", "The platform lists no system");
  const form = JSON.stringify(ana.modal());
  expect(form).not.toMatch(/:x:|There is no|Madrid|Debian/);
  expect(form).not.toContain("More SSH public keys");
});

test("a location that fills up meanwhile is reported with those that are left, and what was filled in stays", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await ana.type("/order new VPS S");
  await page(story, story.ana, "Order");
  await ana.fill({ Billed: "monthly", Location: "Madrid", "Host name": "kept.example.test" });
  const places = platform.product("VPS S").locations;
  platform.changeProduct("VPS S", {
    locations: places.map((place) => (place.value === "es-mad" ? { ...place, sold_out: true } : place)),
  });
  await ana.submit();
  const refused = await story.sees(ana, "in Madrid is sold out", "There is room in Frankfurt", "Correct it…");
  await ana.press(refused, "Correct it…");
  await page(story, ana, "Order");
  await story.modal(ana, "kept.example.test", "in Madrid is sold out");
});

test("a price that changes after the review voids it, and a location that fills up meanwhile is refused: nothing is ordered", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, "VPS S");
  expect(said(review)).toContain("5.00 EUR before tax");
  platform.changeProduct("VPS S", { monthly: 900 });
  await ana.press(review, goAhead);
  await story.sees(ana, "Something changed", "5.00 EUR", "9.00 EUR");
  const another = await reviewOf(story, ana, "VPS M");
  const places = platform.product("VPS M").locations;
  platform.changeProduct("VPS M", { locations: places.map((place) => ({ ...place, sold_out: true })) });
  await ana.press(another, goAhead);
  await story.sees(ana, "in Madrid is sold out", "Nothing was ordered");
  expect(orderCalls(story)).toHaveLength(0);
});

test("a fee that the catalogue names beside the price is on the form, the card and its dialog, and voids the order once it grows", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  let fee = "25.00";
  const rewrite = (body: unknown): unknown =>
    JSON.parse(JSON.stringify(body).replaceAll('"name":"VPS S"', `"name":"VPS S","setup_fee":"${fee}"`));
  platform.faults.next({ how: { rewrite }, method: "GET", path: /^\/products(\/[^/]+)?$/, times: 100 });
  await story.ask(ana, "/catalog show VPS S", "5.00 EUR a month · 0.0075 EUR an hour · setup fee 25.00 EUR");
  await ana.type("/order new VPS S");
  await story.modal(ana, "setup fee 25.00 EUR");
  await ana.closeModal();
  const review = await reviewOf(story, ana, "VPS S");
  expect(said(review)).toContain("List price: `VPS S` 5.00 EUR a month (beside it: setup fee 25.00 EUR)");
  const { confirm } = await ana.press(review, goAhead, { confirm: false });
  expect(confirm?.text).toContain("setup fee 25.00 EUR");
  fee = "250.00";
  await story.pressing(
    ana,
    review,
    goAhead,
    "*Beside the price* changed: it was setup fee 25.00 EUR and is setup fee 250.00 EUR now",
  );
  expect(orderCalls(story)).toHaveLength(0);
});

test("errors are shown under their fields, at once and before anything is read", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/order new VPS S");
  await page(story, story.ana, "Order");
  await ana.fill({ Billed: "monthly", Location: "Madrid", "Host name": "not a host" });
  expect(await ana.submit()).toEqual({ errors: { hostname: expect.stringContaining("full host name") } });
  await ana.fill({ "Host name": "" });
  await ana.fill({ "More SSH public keys": "ssh-ed25519 nonsense" });
  expect(await ana.submit()).toEqual({ errors: { pasted: expect.stringContaining("Line 1") } });
  await ana.fill({
    "More SSH public keys": "",
    "User data": "#!/bin/sh\ntrue",
    "User data as a file": { name: "init.sh", content: "#!/bin/sh\n" },
  });
  expect(await ana.submit()).toEqual({ errors: { userdata: expect.stringContaining("not both") } });
});

test("user data of 60,000 characters is taken as a file, kept sealed, and sent whole", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const script = `#!/bin/sh\n${"# a line of the script\n".repeat(2_600)}`;
  await ana.type("/order new VPS S");
  await page(story, story.ana, "Order");
  await ana.fill({ Billed: "monthly", Location: "Madrid" });
  await ana.fill({ "User data as a file": { name: "init.sh", content: script } });
  await ana.submit();
  const review = await story.sees(ana, `A script of ${script.length.toLocaleString("en")} characters`);
  await ana.press(review, goAhead);
  await story.sees(ana, "Ordered 1 ×");
  // The practice platform hides user data in its log; that it is sent whole, `body.test.ts` shows.
  expect(orderCalls(story)[0]?.body).toMatchObject({ configOptions: { user_data: "[secret]" } });
  expect(story.log.join("")).not.toContain("a line of the script");
});

test.each([
  ["too long", { name: "long.sh", content: `#!${"x".repeat(70_000)}` }, "has 70,002 characters; at most 65,536"],
  ["no text", { name: "picture.png", content: Buffer.from([0xff, 0xd8, 0xff, 0x00]) }, "is not plain text"],
])("a file that is %s is refused, and the form can be corrected", async (_, file, why) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/order new VPS S");
  await page(story, ana, "Order");
  await ana.fill({ Billed: "monthly", Location: "Madrid", "Host name": "kept.example.test" });
  await ana.fill({ "User data as a file": file });
  await ana.submit();
  await ana.press(await story.sees(ana, why, "Correct it…"), "Correct it…");
  await page(story, ana, "Order");
  await story.modal(ana, "kept.example.test", why);
});

test("the form for a product with more than 100 locations and systems says so, and takes each of them by its name", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const many = Array.from({ length: 130 }, (_, at) => at);
  const [place] = platform.product("VPS M").locations;
  const [system] = platform.product("VPS M").templates;
  if (!place || !system) throw new Error("The product has no place or no system");
  platform.changeProduct("VPS M", {
    locations: many.map((at) => ({ ...place, value: `place-${at}`, name: `place-${at}`, sold_out: false })),
    templates: many.map((at) => ({
      ...system,
      id: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
      name: `System ${at}`,
    })),
  });
  await ana.type('/order new "VPS M" cycle=monthly location=place-129 image="System 128"');
  await page(story, ana, "Order");
  const form = JSON.stringify(ana.modal());
  // Own images are in the list of systems, too.
  expect(form).toContain("Or an image of your own. The list shows the first 100 of 133");
  expect(form.match(/The list shows the first 100 of 13\d: type a part of the name/g)).toHaveLength(2);
  for (const chosen of ["place-129", "System 128"]) expect(form).toContain(`"text":"${chosen}"`);
});

test("an own image takes the place of a system, and one that is still captured cannot be chosen", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/order new VPS L project=production");
  await page(story, story.ana, "Order");
  await ana.fill({ Billed: "monthly", Location: "Madrid" });
  await ana.fill({ System: "golden-web" });
  await ana.submit();
  await ana.press(await story.sees(ana, "Your image `golden-web`"), goAhead);
  await story.sees(ana, "Ordered 1 × `VPS L`");
  const body = JSON.stringify(orderCalls(story)[0]?.body);
  expect(body).toContain("custom_image_id");
  expect(body).not.toContain("os_image_id");
});

test("a build that fails says what its code means, and offers the way on", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.settings.autoCredit = true;
  platform.settings.buildFailure = "ip_capacity";
  await ana.press(await reviewOf(story, ana, "VPS S", { "Host name": "lost.example.test" }), goAhead);
  await story.comesToSee(ana, "did not come up");
  await story.sees(ana, "`lost` was not built", "Another location may work");
  await offered(story, ana, "Order elsewhere…");
});

test("an order whose invoice is cancelled by somebody is not waited for any longer", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await ana.press(await reviewOf(story, ana, "VPS S"), goAhead);
  await story.sees(ana, "The platform builds the server after the payment");
  platform.faults.next({
    how: {
      status: 200,
      body: {
        success: true,
        data: {
          id: platform.orders().at(-1)?.document_id,
          status: "cancelled",
          total: "6.05",
          paid_amount: 0,
          remaining_amount: 0,
          settled: false,
        },
      },
    },
    method: "GET",
    path: "/invoices/{id}",
  });
  await story.comesToSee(ana, "was cancelled, so nothing is built");
});

test("an order that was refused can be put right without filling it in again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.press(await reviewOf(story, ana, "VPS S discount=NOSUCH", { "Host name": "again.example.test" }), goAhead);
  await ana.press(await story.sees(ana, "discountCode", "not valid", "Correct it…"), "Correct it…");
  await page(story, ana, "Order");
  const { blocks = [] } = ana.modal() ?? {};
  const field = blocks.findIndex(({ block_id: id }) => id === "discount");
  expect(JSON.stringify(blocks[field + 1])).toMatch(/:x: .*not valid/);
  await ana.fill({ "Discount code": "PRACTICE10" });
  await ana.submit();
  await ana.press(await story.sees(ana, "`PRACTICE10`, if the platform accepts it"), goAhead);
  await story.sees(ana, "Ordered 1 × `VPS S`", "5.45 EUR");
  expect(ordersMade(story)).toMatchObject([{ hostname: "again.example.test" }]);
});

test("an order is confirmed with its price, or with the words that there is none", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const balance = "Your balance: 250.00 EUR now, 245.00 EUR afterwards, less the tax";
  for (const [cycle, more, price, words] of [
    ["hourly", "", "0.0075 EUR an hour", "Order 1 × VPS S, hourly: 0.0075 EUR an hour, before tax."],
    ["quarterly", "", "15.00 EUR", "Order 1 × VPS S, quarterly: 15.00 EUR before tax."],
    ["monthly", "", "5.00 EUR", `Order 1 × VPS S, monthly: 5.00 EUR before tax. ${balance}`],
    [
      "monthly",
      " discount=PRACTICE10",
      "5.00 EUR a month",
      "List price: VPS S 5.00 EUR a month, before tax. The discount of PRACTICE10 is not named either.",
    ],
  ] as const) {
    const review = await reviewOf(story, ana, `VPS S${more}`, { Billed: cycle });
    expect(said(review), `${cycle}${more}`).toContain(price);
    if (!more) expect(JSON.stringify(review.blocks), cycle).toMatch(new RegExp(`"Order(:| for) ${price},? before tax`));
    const { confirm } = await ana.press(review, goAhead, { confirm: false });
    expect(confirm?.text, `${cycle}${more}`).toContain(words);
  }
});

test("a product without systems and locations is ordered without the fields of a server", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/order new Mail hosting");
  await page(story, ana, "Order");
  await story.modal(ana, "The platform lists no system");
  await ana.fill({ Billed: "annually" });
  await ana.submit();
  await ana.press(await story.sees(ana, "1 × `Mail hosting`, annually", "Your balance"), goAhead);
  await story.sees(ana, "Ordered 1 × `Mail hosting`, annually", "58.08 EUR");
});

test("a 200-character product and one that looks like markup mention nobody and fit their fields", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.changeProduct("VPS S", { name: `<!channel> *bold* ${"x".repeat(200)}` });
  const list = await story.ask(ana, "/catalog products", "15 products");
  expect(list.mentions).toEqual([]);
  await ana.press(list, "Open");
  await story.sees(ana, "bold", "Is it available?");
  await ana.type("/order new");
  await story.modal(ana, '"choose:product"');
  expect(await ana.suggest("modal", "choose:product", "bold")).toHaveLength(1);
  await ana.type(`/order new ${productId("VPS S")}`);
  await page(story, ana, "Order");
});

test("stored keys and pasted ones are both sent, and the review counts them", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await fetch(`${platform.url}/ssh-keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${platform.keys.ana.key}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "laptop", publicKey: `ssh-ed25519 ${"B".repeat(68)} laptop` }),
  });
  await ana.type("/order new VPS S");
  await page(story, ana, "Order");
  await ana.fill({ Billed: "monthly", Location: "Madrid" });
  await ana.fill({ "Stored SSH keys": ["laptop"], "More SSH public keys": `${newPublicKey()} desk` });
  await ana.submit();
  const review = await story.sees(ana, "2 keys", "Your balance");
  await ana.press(review, goAhead);
  await story.sees(ana, "Ordered 1 × `VPS S`");
  expect(orderCalls(story)[0]?.body).toMatchObject({
    configOptions: { ssh_keys: [expect.stringContaining("desk")], ssh_key_ids: [expect.any(String)] },
  });
});

test("a key that is bound to a project orders into that project without naming it", async () => {
  const story = await startStory();
  const { ana, platform } = story;
  await story.link(ana, platform.keys.bound.key);
  await ana.press(await reviewOf(story, ana, "VPS S"), goAhead);
  await story.sees(ana, "Ordered 1 × `VPS S`");
  expect(ordersMade(story)).toMatchObject([{ project_id: platform.projectId("production") }]);
});

/** The names that the open form offers for the system and the keys. */
async function choicesOf({ ana }: Story): Promise<string> {
  const lists = await Promise.all(["System", "Stored SSH keys"].map((id) => ana.suggest("modal", id, "")));
  return JSON.stringify(lists);
}

test.each([
  ["another one than the member's", "staging", "VPS L project=production", "production"],
  ["the member's own", "production", "VPS L", "production"],
  ["the default one, where none is chosen", null, "VPS L", "default"],
] as const)(
  "the form of an order offers the images and keys of its project alone, and the platform takes the order: %s",
  async (_, works, typed, into) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const { shapes } = platform.settings;
    Object.assign(shapes, { otherProject: "refused", orderAcross: "refused" });
    const image = { production: "golden-web", default: "legacy-import" }[into];
    const other = into === "default" ? "golden-web" : "legacy-import";
    await story.ask(ana, `/sshkey add name=${into}-key public="${newPublicKey()}" project=${into}`, "is stored");
    await story.ask(ana, `/sshkey add name=other-key public="${newPublicKey()}" project=empty`, "is stored");
    if (works) await story.ask(ana, `/project use ${works}`, "You now work in");
    await ana.type(`/order new ${typed}`);
    await page(story, ana, "Order");
    await ana.fill({ Billed: "monthly", Location: "Madrid" });
    expect(await choicesOf(story)).toContain(image);
    expect(await choicesOf(story)).not.toContain(other);
    expect(await choicesOf(story)).not.toContain("other-key");
    await ana.fill({ System: image, "Stored SSH keys": [`${into}-key`] });
    await ana.submit();
    await ana.press(await story.sees(ana, `Your image \`${image}\``, "Your balance"), goAhead);
    await story.sees(ana, "Ordered 1 × `VPS L`");
    expect(ordersMade(story)).toMatchObject([{ project_id: platform.projectId(into) }]);
  },
);

test("an order into another project than its image's is refused before anybody confirms it, and can be corrected", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await ana.type("/order new VPS L project=production");
  await page(story, ana, "Order");
  await ana.fill({ Billed: "monthly", Location: "Madrid" });
  await ana.fill({ System: "golden-web" });
  platform.changeImage("golden-web", { project_id: platform.projectId("staging") });
  await ana.submit();
  const refused = await story.sees(ana, "does not have this image", "Correct it…");
  expect(ordersMade(story)).toEqual([]);
  await ana.press(refused, "Correct it…");
  await page(story, ana, "Order");
  expect(await choicesOf(story)).not.toContain("golden-web");
});
