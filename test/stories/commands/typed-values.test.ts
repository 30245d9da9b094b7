import { expect, test } from "vitest";
import { packInvocation, unpackInvocation } from "../../../src/messages/answers/buttons.ts";
import { isActInput } from "../../../src/operation/act-input.ts";
import { type Field, fieldsOf, isSecret } from "../../../src/operation/fields.ts";
import type { Operation } from "../../../src/operation/operation.ts";
import { registry } from "../../../src/operations/index.ts";
import { readProduct } from "../../../src/platform/customer/catalog.ts";
import { placeOrder } from "../../../src/platform/reseller/place-order.ts";
import { productId } from "../../../src/sandbox/platform/world/catalogue.ts";
import { partsOf } from "../../examples.ts";
import { elsewhere } from "../polled.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { type Actor, type Story, said } from "../story.ts";

// No typed value is dropped without a word: a form shows each, and names what does not fit.

const all = registry.all;

/** A workspace with both keys, and an order whose charge has failed. */
async function estate(): Promise<Story> {
  const story = await startResellerStory({ linked: ["ana"] });
  const { platform } = story;
  platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
  const order = {
    productId: productId("VPS M"),
    billingCycle: "monthly",
    quantity: 1,
    externalOrderId: "s-1",
  } as const;
  const placed = placeOrder(elsewhere(story).reseller, { ...order, configuration: { location: "es-mad" } });
  await expect(placed).rejects.toThrow("402");
  return story;
}

/** The inputs that a command can say. */
function typable(operation: Operation): Field[] {
  return fieldsOf(operation.input).filter(
    (field) =>
      !isSecret(field) &&
      isActInput(operation, field.name) &&
      field.name !== "reason" &&
      // A command that takes all words as they are has it by its buttons alone.
      !(field.byButton && operation.verbatim),
  );
}

/** A text that a member may type for a field without a live list, and the value that its element then holds. */
function typedFor({ kind, name, options }: Field, { slack, ben }: Story): { typed: string; value: string } {
  if (kind === "select") return { typed: options.at(-1)?.toUpperCase() ?? "", value: options.at(-1) ?? "" };
  if (kind === "number") return { typed: "7", value: "7" };
  if (kind === "toggle") return { typed: "on", value: "yes" };
  if (kind === "several") return { typed: "one,two", value: "one, two" };
  const channel = slack.channels.ops?.id ?? "";
  if (kind === "channel" || kind === "channels") return { typed: `<#${channel}|ops>`, value: channel };
  if (kind === "person") return { typed: `<@${ben.user.id}|ben>`, value: ben.user.id };
  return { typed: `a value of ${name}`, value: `a value of ${name}` };
}

/** The form with all that was read for it. */
async function formOf({ slack }: Story, actor: Actor, what: string, before: number): Promise<string> {
  return slack.until(() => {
    const form = JSON.stringify(actor.modal()?.blocks ?? "");
    const refused = actor.sees().slice(before).map(said).at(-1);
    if (refused) throw new Error(`${what} was answered with ${refused}`);
    return form !== '""' && !form.includes("One moment") ? form : undefined;
  }, `the form of ${what}`);
}

/** Types a command without its target, chooses the target in the form, and returns the form. */
async function filledBy(story: Story, operation: Operation, values: Record<string, string>): Promise<string> {
  const { ana, slack } = story;
  const text = Object.entries(values).map(([name, value]) => `${name}="${value}"`);
  const what = `/${operation.command} ${text.join(" ")}`;
  const before = ana.sees().length;
  await ana.type(what);
  const form = await formOf(story, ana, what, before);
  if (!operation.target) return form;
  if (operation.chosen.length === 0) return form;
  await ana.choose("modal", "target", partsOf(operation.command).target);
  return slack.until(() => {
    const shown = JSON.stringify(ana.modal()?.blocks ?? "");
    return shown.includes('"action_id":"target"') ? undefined : shown;
  }, `the form of ${what} with its target`);
}

const withFields = all.filter(
  (operation) =>
    !operation.leading &&
    typable(operation).length > 0 &&
    (operation.target !== null ||
      fieldsOf(operation.input).some(({ required, kind }) => required || kind === "secret")),
);

/** The values that the open form holds, by field. */
function shownOn({ ana }: Pick<Story, "ana">): Record<string, string> {
  const fields = (ana.modal()?.blocks ?? []).map(({ block_id: id, element }) => {
    const text = JSON.stringify(element ?? {}).replace(/^.*?"initial_/, "initial_");
    const [, initial] = /^initial_(?:value|user|conversations?)":\[?"([^"]*)"/.exec(text) ?? [];
    const chosen = /^initial_options?":/.test(text) ? [...text.matchAll(/"value":"([^"]*)"/g)] : [];
    return [String(id), initial ?? chosen.map(([, value]) => value).join(", ")] as const;
  });
  return Object.fromEntries(fields);
}

/** All that is typed beside the one value that the form is opened for. */
function values(operation: Operation, given: (field: Field) => string): Record<string, string> {
  const fields = typable(operation);
  const left = operation.target ? null : fields.find(({ required }) => required);
  return Object.fromEntries(fields.filter((field) => field !== left).map((field) => [field.name, given(field)]));
}

test("every value typed into any command is in the form that it opens", async () => {
  const story = await estate();
  let seen = 0;
  for (const operation of withFields) {
    const given = values(operation, (field) => typedFor(field, story).typed);
    if (Object.keys(given).length === 0) continue;
    const form = await filledBy(story, operation, given);
    for (const field of typable(operation).filter(({ name }) => given[name] !== undefined)) {
      const { typed, value } = typedFor(field, story);
      const named = operation.chosen.includes(field.name) && typed.split(",").every((part) => form.includes(part));
      expect([operation.command, field.name, named ? value : shownOn(story)[field.name]]).toEqual([
        operation.command,
        field.name,
        value,
      ]);
      seen += 1;
    }
    await story.ana.closeModal({ all: true });
  }
  expect(seen).toBeGreaterThan(80);
});

test("a value that fits no field is named by the form that it opens, for every field with a choice of its own", async () => {
  const story = await estate();
  for (const operation of withFields) {
    const odd = values(operation, () => "perhaps");
    const kinds: Field["kind"][] = ["select", "number", "toggle", "channel", "channels", "person"];
    const strict = typable(operation).filter(
      ({ name, kind }) => kinds.includes(kind) || operation.chosen.includes(name),
    );
    const given = Object.fromEntries(Object.entries(odd).filter(([name]) => strict.some((one) => one.name === name)));
    if (Object.keys(given).length === 0) continue;
    const form = await filledBy(story, operation, given);
    const faults = form.split("perhaps").length - 1;
    expect([operation.command, faults >= Object.keys(given).length ? "all named" : form]).toEqual([
      operation.command,
      "all named",
    ]);
    await story.ana.closeModal({ all: true });
  }
});

test("a choice typed by its label in capitals or by its id is chosen in the form that it opens, in every command", async () => {
  const story = await estate();
  const { ana } = story;
  const found: string[] = [];
  for (const operation of withFields) {
    for (const field of operation.chosen) {
      await filledBy(story, operation, {});
      const offered = JSON.stringify(ana.modal()).includes(`choose:${field}`)
        ? await ana.suggest("modal", `choose:${field}`, "")
        : [];
      await ana.closeModal({ all: true });
      const choice = offered.find(({ text }) => !text.includes('"'));
      if (!choice) continue;
      for (const typed of [choice.text.toUpperCase(), choice.value]) {
        const form = await filledBy(story, operation, { [field]: typed });
        expect([operation.command, field, typed, form]).toEqual([
          operation.command,
          field,
          typed,
          expect.stringMatching(new RegExp(`"initial_options?":.{0,200}"value":"${choice.value}"`)),
        ]);
        await ana.closeModal({ all: true });
      }
      found.push(`${operation.command} ${field}`);
    }
  }
  expect(found.length).toBeGreaterThan(15);
});

const plan = { cycle: "quarterly", quantity: "3" };

test("the values typed with an order fill its form, by their names or ids, and with nothing left to ask it does not open", async () => {
  const story = await estate();
  const { ana, platform } = story;
  const { os_images: systems } = await readProduct(elsewhere(story).customer, productId("VPS M"));
  const image = systems.find(({ name }) => name === "Debian 13")?.id ?? "";
  // The reseller's list has the datacentres' codes alone.
  for (const [wing, values] of [
    ["/order new", { cycle: "QUARTERLY", location: "madrid", image: "Debian 13", hostname: "a.example.test" }],
    ["/order new", { cycle: "quarterly", location: "es-mad", image, hostname: "b.example.test" }],
    ["/reseller order new", { cycle: "QUARTERLY", location: "ES-MAD", image: "Debian 13", hostname: "a.example.test" }],
    ["/reseller order new", { cycle: "quarterly", location: "es-mad", image, hostname: "b.example.test" }],
  ] as const) {
    const typed = { ...plan, ...values };
    const text = Object.entries(typed).map(([name, value]) => `${name}="${value}"`);
    const review = ["3 × `VPS M`, quarterly", "Debian 13", values.hostname, "Not now"];
    await story.ask(ana, `${wing} product="VPS M" ${text.join(" ")}`, ...review);
    expect(ana.modal()).toBeUndefined();
    await ana.type(`${wing} ${text.join(" ")}`);
    await story.modal(ana, '"choose:product"');
    await ana.choose("modal", "choose:product", "VPS M");
    await story.modal(ana, '"submit":{', "*`VPS M`*");
    expect([wing, shownOn(story)]).toMatchObject([
      wing,
      { ...plan, image, location: "es-mad", hostname: values.hostname },
    ]);
    await ana.closeModal({ all: true });
  }
  expect(platform.orders().filter(({ idempotency_key: key }) => key !== null)).toEqual([]);
});

test("an order that lacks a value, or whose host name the platform would refuse, opens its form, with the rest filled in", async () => {
  const story = await estate();
  const { ana } = story;
  for (const [wing, code] of [
    ["/order new", "Madrid"],
    ["/reseller order new", "es-mad"],
  ] as const) {
    for (const typed of [
      `cycle=monthly location=${code} hostname=a.example.test`,
      `cycle=monthly location=${code} image="Debian 13"`,
    ]) {
      await ana.type(`${wing} "VPS M" ${typed}`);
      await story.modal(ana, '"submit":{', "*`VPS M`*");
      expect(shownOn(story)).toMatchObject({ cycle: "monthly", location: "es-mad" });
      await ana.closeModal({ all: true });
    }
    for (const [typed, why] of [
      ['cycle=monthly hostname=a.example.test image="Debian 13"', "needs one"],
      [`cycle=monthly location=${code} hostname="shop 1" image="Debian 13"`, "such as web-4.example.com"],
    ] as const) {
      await ana.press(await story.ask(ana, `${wing} "VPS M" ${typed}`, why, "Correct it…"), "Correct it…");
      await story.modal(ana, '"submit":{', "*`VPS M`*");
      // The reason is at the field, and the rest is kept.
      const blocks = ana.modal()?.blocks ?? [];
      const at = blocks.findIndex(({ block_id: id }) => id === (why === "needs one" ? "location" : "hostname"));
      expect(JSON.stringify(blocks[at + 1])).toContain(why);
      expect(shownOn(story)).toMatchObject({ cycle: "monthly", image: expect.stringMatching(/./) });
      await ana.closeModal({ all: true });
    }
  }
});

test("a name that an order does not have is named by its form, which keeps the rest, and so is one of any other command", async () => {
  const story = await estate();
  const { ana } = story;
  await ana.type('/order new "VPS M" name=shop-1 cycle=monthly location=Madrid image="Debian 13"');
  await story.modal(ana, "This form has no `name=` with `shop-1`", "*`VPS M`*", "Monthly", "Madrid");
  await ana.closeModal({ all: true });
  await ana.type('/vps reinstall web-1 imgae="Debian 13" reason="it is due"');
  await story.modal(ana, "This form has no `imgae=` with `Debian 13`", "it is due");
  await ana.closeModal({ all: true });
  const refused = await story.ask(ana, "/vps snapshot web-1 name=safe colour=red", "I don't know colour=");
  await ana.press(refused, "Correct it…");
  await story.modal(ana, "This form has no `colour=` with `red`", '"initial_value":"safe"', "`web-1`");
});

test("the reason that is typed with an order is in its request, and a value that is given twice is said before a form opens", async () => {
  const story = await estate();
  const { ana } = story;
  const typed = 'cycle=monthly hostname=a.example.test image="Debian 13" reason="for the shop"';
  await story.ask(ana, `/order new "VPS M" location=Madrid ${typed}`, "for the shop", "Not now");
  await story.ask(ana, `/reseller order new "VPS M" location=es-mad ${typed}`, "for the shop", "Not now");
  await story.ask(ana, "/order new VPS M product=VPS", "both say the product");
  await story.ask(ana, '/vps list web text="db"', "both say the text");
  expect(ana.modal()).toBeUndefined();
});

test("the form names each typed value that its product does not have, in customer and reseller orders", async () => {
  const story = await estate();
  const { ana } = story;
  const odd = { cycle: "weekly", location: "Atlantis", image: "BeOS", quantity: "lots", project: "nowhere" };
  const text = (names: string[]) =>
    Object.entries(odd).flatMap(([name, value]) => (names.includes(name) ? [`${name}="${value}"`] : []));
  for (const [wing, names] of [
    ["/order new", ["cycle", "location", "image", "quantity", "project"]],
    ["/reseller order new", ["cycle", "location", "image", "quantity"]],
  ] as const) {
    await ana.type(`${wing} product="VPS M" ${text([...names]).join(" ")}`);
    await story.modal(ana, '"submit":{', ...names.map((name) => `“${odd[name]}”`));
    await ana.closeModal({ all: true });
  }
});

test("a customer is named by their name, e-mail address or own id, and a new one is said to be new", async () => {
  const story = await estate();
  const { ana } = story;
  for (const typed of ["Acme Bakery", "acme-bakery", "nobody-yet"]) {
    const values = 'cycle=monthly location=es-mad hostname=a.example.test image="Debian 13"';
    const buyer = typed === "nobody-yet" ? "`nobody-yet`, a new customer" : "`acme-bakery`";
    const command = `/reseller order new "VPS M" ${values} customer="${typed}"`;
    const review = await story.ask(ana, command, "1 × `VPS M`, monthly", buyer, "Not now");
    if (typed !== "nobody-yet") expect(said(review)).not.toContain("a new customer");
  }
  await ana.type('/reseller order new "VPS M" customer="somebody-new"');
  await story.modal(ana, "somebody-new (new)");
  expect(shownOn(story)).toMatchObject({ customer: "somebody-new" });
});

test("a mention's values are in the form that its button opens", async () => {
  const story = await estate();
  const { ana } = story;
  await ana.say('@Rackbell reseller order new "VPS M" location=es-mad image="Debian 13" quantity=4');
  await ana.press(await story.sees(ana, "asks for more in a form"), { index: 0 });
  await story.modal(ana, '"submit":{', "*`VPS M`*");
  expect(shownOn(story)).toMatchObject({ location: "es-mad", quantity: "4" });
  await ana.closeModal({ all: true });
  await ana.say('@Rackbell service password web-1 reason="it is due"');
  await ana.press(await story.sees(ana, "`/service password` asks for more in a form"), { index: 0 });
  await story.modal(ana, "it is due", "New root password");
});

test("a password is made for one machine, whose name may be of several words; two named machines are refused, and no command for several takes a secret", async () => {
  const story = await estate();
  const { ana, platform } = story;
  platform.change("db-1", { name: "data base" });
  const request = await story.ask(ana, '/vps reinstall data base image="Debian 13"', "asks to", "`data base`");
  expect(said(request)).toContain("generated by Rackbell");
  await story.ask(ana, '/vps reinstall web-1 web-2 image="Debian 13"', "You have no VPS called “web-1 web-2”");
  expect(ana.modal()).toBeUndefined();
  const bulk = all.filter((operation) => operation.api !== "app" && operation.bulk);
  expect(bulk.length).toBeGreaterThan(8);
  expect(bulk.filter(({ input }) => fieldsOf(input).some(isSecret)).map(({ command }) => command)).toEqual([]);
});

test("no value that a command says is lost between its text and the act", () => {
  for (const operation of all)
    for (const field of typable(operation)) {
      const raw = { [field.name]: field.kind === "number" ? "many" : "a value, of words" };
      const accepted = operation.accept(raw);
      const lost = "error" in accepted ? false : accepted.input[field.name] === undefined;
      expect([operation.command, field.name, lost]).toEqual([operation.command, field.name, false]);
      const packed = unpackInvocation(packInvocation({ command: operation.command, input: raw }));
      expect([operation.command, packed?.input]).toEqual([operation.command, raw]);
    }
});
