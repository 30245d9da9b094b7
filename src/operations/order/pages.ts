import { matchTarget } from "../../access/resolve.ts";
import type { CallContext, Choice } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { ambiguityMessage, matchingChoices } from "../../operation/input.ts";
import { indexedKindOf } from "../../operation/target.ts";
import { chosenVerb, defineWizard, type WizardState } from "../../operation/wizard.ts";
import { type ProductDetail, readAvailability, readProduct } from "../../platform/customer/catalog.ts";
import { listCustomImages } from "../../platform/customer/images.ts";
import { billingCycles } from "../../platform/customer/orders.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { context } from "../../views/blocks.ts";
import { code, listing, prose } from "../../views/text.ts";
import { availabilityMeaning, refusesOrders } from "../catalog/places.ts";
import { priceLine, product, specsOf } from "../catalog/product.ts";
import { type OrderPage, pagesOf, searchField, suggestEntries } from "../kits/order-form.ts";
import { projectChoice } from "../project/project.ts";
import { Draft, emptyDraft, inputOf, isFirst, newLine } from "./draft.ts";
import { orderPage } from "./page-order.ts";
import { planPage } from "./page-plan.ts";
import { systemPage } from "./page-system.ts";
import { draftFromTemplate, templateOf } from "./templates.ts";

/** The first page: the product. */
const productPage: OrderPage<"customer", Draft> = {
  async view(_, { current }) {
    const chosen = current ? { value: current.product, label: current.name } : null;
    return {
      title: "Order",
      submit: "Next",
      blocks: [
        searchField({ id: "product", label: "Product" }, "Find a product by its name", chosen),
        context("Nothing is ordered until you press the button under the review, which shows the price."),
      ],
    };
  },
  check: () => ({}),
  keep(draft, { product: id }) {
    if (typeof id !== "string" || draft.current?.product === id) return draft;
    return { ...draft, current: newLine({ id, name: "" }) };
  },
  async next(call, draft, pressed) {
    const { current } = draft;
    if (!current) throw wrongInput("product", "Choose a product.");
    const found = await readProduct(call.client, current.product);
    await refuseSoldOut(call, found, isFirst(draft));
    const named = { ...draft, current: { ...current, name: found.name } };
    // Check the product as soon as it is chosen, so that a member does not fill in a sold-out order.
    return pressed?.verb === chosenVerb
      ? {
          page: "product",
          draft: named,
          notice: [`*${code(found.name)}* · ${priceLine(found)}`, specsOf(found.specs)]
            .filter((line) => line)
            .join("\n"),
        }
      : { page: "plan", draft: named };
  },
};

async function refuseSoldOut(call: CallContext<"customer">, found: ProductDetail, first: boolean): Promise<void> {
  const { code: verdict, reason } = await readAvailability(call.client, found.id);
  if (refusesOrders(verdict))
    throw new Refusal(
      `${code(found.name)} ${availabilityMeaning[verdict]}.${reason ? ` The platform says: ${prose(reason)}.` : ""} Choose another product.`,
    );
  const open = found.locations.some(({ sold_out }) => !sold_out);
  if (found.location_required && !open && first)
    throw new Refusal(`${code(found.name)} has no location with room at the moment. Choose another product.`);
}

/** Products whose name contains the text. */
async function suggestProducts(call: CallContext<"customer">, query: string): Promise<Choice[]> {
  const found = await suggestEntries(call, indexedKindOf(product), query);
  return found.map(({ id, name, detail }) => ({ value: id, label: name, description: detail }));
}

/** The order form: a product, its plan, its system, and the order as a whole. */
export const orderPages = defineWizard({
  draft: Draft,
  begin,
  ...pagesOf(productPage, { plan: planPage, system: systemPage, order: orderPage }),
  suggest: async (call, _page, _draft, field, query) => (field === "product" ? suggestProducts(call, query) : []),
  correct,
  template: { name: ({ template }) => template || null, save: templateOf, begin: draftFromTemplate },
  last: "order",
  input: (draft) => ({ order: inputOf(draft) }),
});

/** The pages begin with the values typed in the command. */
async function begin(call: CallContext<"customer">, input: Record<string, unknown>): Promise<WizardState> {
  const typed = (name: string) => (typeof input[name] === "string" ? input[name] : "");
  const project = await projectIn(call, typed("project"));
  const draft: Draft = {
    ...emptyDraft,
    hostname: typed("hostname"),
    project: project.id,
    discount: typed("discount"),
  };
  if (!typed("product"))
    return { page: "product", draft, ...(project.notice ? { notice: `:information_source: ${project.notice}` } : {}) };
  const match = matchTarget((await call.listing(indexedKindOf(product))).entries, typed("product"));
  if (match.kind !== "one") {
    const why = match.kind === "none" ? "There is no product called" : "More than one product is called";
    return {
      page: "product",
      draft,
      notice: `:information_source: ${why} “${prose(typed("product"), 100)}”. Choose one. ${project.notice}`.trim(),
    };
  }
  const found = await readProduct(call.client, match.entry.id);
  const wanted = typed("location").toLowerCase();
  const place = found.locations.find(
    ({ value, name }) => value.toLowerCase() === wanted || name.toLowerCase() === wanted,
  );
  const image = await imageOf(call, found, typed("image"));
  const line = {
    ...newLine(found),
    cycle: billingCycles.find((cycle) => cycle === typed("cycle").toLowerCase()) ?? null,
    quantity: /^[1-9]\d{0,3}$/.test(String(input.quantity ?? "")) ? Number(input.quantity) : 1,
    image,
  };
  const filled = { ...draft, current: line, location: place?.value ?? null, place: place?.name ?? "" };
  const unknown = [
    typed("cycle") && !line.cycle ? typed("cycle") : "",
    typed("location") && !place ? typed("location") : "",
    typed("image") && !image ? typed("image") : "",
  ].filter((text) => text !== "");
  const words = [
    ...(unknown.length > 0
      ? [
          `I found no ${listing(
            unknown.map((text) => `“${prose(text, 60)}”`),
            "or",
          )} for this product: choose below.`,
        ]
      : []),
    ...(project.notice ? [project.notice] : []),
  ];
  const notice = words.length > 0 ? `:information_source: ${words.join(" ")}` : null;
  try {
    const turn = await productPage.next(call, filled, null);
    return notice ? { ...turn, notice } : turn;
  } catch (error) {
    // If the product cannot be ordered, return to the choice of products.
    if (!(error instanceof Refusal)) throw error;
    return { page: "product", draft: filled, notice: `:warning: ${error.message}` };
  }
}

/** The image of a typed name or id: one of the product's systems, or a custom image. */
async function imageOf(
  { client }: CallContext<"customer">,
  product: ProductDetail,
  typed: string,
): Promise<string | null> {
  if (!typed) return null;
  const isMeant = ({ id, name }: { id: string; name: string }) =>
    id === typed || name.toLowerCase() === typed.toLowerCase();
  const system = product.os_images.find(isMeant);
  if (system) return `os:${system.id}`;
  const own = (await listCustomImages(client)).find((image) => image.status === "available" && isMeant(image));
  return own ? `own:${own.id}` : null;
}

/**
 * The project of a typed name, slug or id. If none or several match, `id` is null and `notice` says why: the member then chooses
 * on the last page.
 */
async function projectIn(
  { client }: CallContext<"customer">,
  typed: string,
): Promise<{ id: string | null; notice: string }> {
  if (typed === "") return { id: null, notice: "" };
  const choices = (await listProjects(client.in(null))).map(projectChoice);
  const found = matchingChoices(typed, choices);
  const [only] = found;
  if (only && found.length === 1) return { id: only.value, notice: "" };
  const why = found.length > 1 ? ambiguityMessage(typed, found) : `There is no project “${typed}”.`;
  return { id: null, notice: `${prose(why, 300)} The project is chosen on the last page.` };
}

/** The page and field of each platform error, by the field's name at the platform. */
const places: [name: RegExp, page: string, field: string][] = [
  [/hostname/, "plan", "hostname"],
  [/location/, "plan", "location"],
  [/cycle/, "plan", "cycle"],
  [/quantity/, "plan", "quantity"],
  [/image/, "system", "image"],
  [/sshkeyids/, "system", "keys"],
  [/sshkey/, "system", "pasted"],
  [/userdata/, "system", "user_data"],
  [/product/, "product", "product"],
  [/discount/, "order", "discount"],
  [/project/, "order", "project"],
];

function correct(
  page: string,
  draft: Draft,
  faults: Record<string, string>,
): WizardState & { faults: Record<string, string> } {
  const known = Object.entries(faults).flatMap(([name, message]) => {
    const bare = name.replaceAll(/[_.\-[\]]/g, "").toLowerCase();
    const place = places.find(([pattern]) => pattern.test(bare));
    return place ? [{ name, page: place[1], field: place[2], message }] : [];
  });
  const [first] = known;
  const rest = Object.values(faults).filter((message) => !known.some((one) => one.message === message));
  const notice = rest.length > 0 ? { notice: `:warning: ${rest.map((message) => prose(message)).join(" ")}` } : {};
  if (!first) return { page, draft, faults: {}, ...notice };
  const told = known.filter((one) => one.page === first.page).map(({ field, message }) => [field, message]);
  return { page: first.page, draft: atLine(draft, first), faults: Object.fromEntries(told), ...notice };
}

/** Opens the line of an error: `items.2.…` is the third. Without an index it is the first. */
function atLine(draft: Draft, { name, page }: { name: string; page: string }): Draft {
  if (page === "order" || draft.current) return draft;
  const at = Number(/\d+/.exec(name)?.[0] ?? 0);
  return { ...draft, current: draft.lines[at] ?? draft.lines[0] ?? null };
}
