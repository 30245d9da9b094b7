import { matchTarget } from "../../access/resolve.ts";
import type { Json } from "../../operation/answer.ts";
import type { CallContext, Choice } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { ambiguityMessage, matchingChoices } from "../../operation/input.ts";
import { indexedKindOf } from "../../operation/target.ts";
import { chosenVerb, defineWizard, type WizardState } from "../../operation/wizard.ts";
import { type ProductDetail, readAvailability, readProduct } from "../../platform/customer/catalog.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { context } from "../../views/blocks.ts";
import { code, prose } from "../../views/text.ts";
import { availabilityMeaning, refusesOrders } from "../catalog/places.ts";
import { priceLine, product } from "../catalog/product.ts";
import { noticeOf, type OrderPage, pagesOf, searchField, suggestEntries, typedTexts } from "../kits/order-form.ts";
import { specsOf } from "../kits/specs.ts";
import { projectChoice } from "../project/project.ts";
import { Draft, emptyDraft, inputOf, isFirst, newLine } from "./draft.ts";
import { orderPage } from "./page-order.ts";
import { planPage } from "./page-plan.ts";
import { systemPage } from "./page-system.ts";
import { draftFromTemplate, templateOf } from "./templates.ts";
import { withTyped } from "./typed.ts";

/** The first page: the product. */
const productPage: OrderPage<"customer", Draft> = {
  async view(_, { current }) {
    const chosen = current ? { value: current.product, label: current.name } : null;
    return {
      title: "Order",
      submit: "Next",
      blocks: [
        searchField({ id: "product", label: "Product" }, "Find a product by its name", chosen),
        context("Nothing is ordered until you press the button under the review. The review shows the price."),
      ],
    };
  },
  check: () => ({}),
  keep(draft, { product: id }) {
    if (typeof id !== "string" || draft.current?.product === id) return draft;
    return { ...draft, current: newLine({ id, name: "" }) };
  },
  async next(call, draft, pressed) {
    // Check the product as soon as it is chosen, so that a member does not fill in a sold-out order.
    const { found, draft: chosen, notices } = await chooseProduct(call, draft);
    if (pressed?.verb !== chosenVerb) return { page: "plan", draft: chosen, ...noticeOf(notices) };
    const lines = [`*${code(found.name)}* · ${priceLine(found)}`, specsOf(found.specs), ...notices];
    return { page: "product", draft: chosen, notice: lines.filter((line) => line).join("\n") };
  },
};

/** The draft with the name of its product. A product that was just chosen gets the typed values. */
async function chooseProduct(call: CallContext<"customer">, draft: Draft) {
  const { current } = draft;
  if (!current) throw wrongInput("product", "Choose a product.");
  const found = await readProduct(call.client, current.product);
  await refuseSoldOut(call, found, isFirst(draft));
  const named = { ...draft, current: { ...current, name: found.name } };
  const isNew = current.name === "";
  return { found, ...(isNew ? await withTyped(call, found, named) : { draft: named, notices: [] }) };
}

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
  template: { name: ({ template }) => template || null, save: templateOf, begin: beginFromTemplate },
  last: "order",
  input: (draft) => ({ order: inputOf(draft) }),
});

/** The pages begin with the values typed in the command. Those that depend on the product wait until it is chosen. */
async function begin(call: CallContext<"customer">, input: Record<string, unknown>): Promise<WizardState> {
  const typed = typedTexts(input);
  const project = await projectIn(call, typed.project ?? "");
  const draft: Draft = {
    ...emptyDraft,
    typed,
    hostname: typed.hostname ?? "",
    project: project.id,
    discount: typed.discount ?? "",
  };
  if (typed.product === undefined) return { page: "product", draft, ...noticeOf([project.notice]) };
  const match = matchTarget((await call.listing(indexedKindOf(product))).entries, typed.product);
  if (match.kind !== "one") {
    const why = match.kind === "none" ? "There is no product called" : "More than one product is called";
    const notice = noticeOf([`${why} “${prose(typed.product, 100)}”. Choose one.`, project.notice]);
    return { page: "product", draft, ...notice };
  }
  const named = { ...draft, current: newLine({ id: match.entry.id, name: "" }) };
  try {
    const chosen = await chooseProduct(call, named);
    return { page: "plan", draft: chosen.draft, ...noticeOf([...chosen.notices, project.notice]) };
  } catch (error) {
    // If the product cannot be ordered, return to the choice of products.
    if (!(error instanceof Refusal)) throw error;
    const current = { ...named.current, name: match.entry.name };
    return { page: "product", draft: { ...draft, current }, notice: `:warning: ${error.message}` };
  }
}

/** A template with the values typed beside it. The template decides the product. */
async function beginFromTemplate(
  call: CallContext<"customer">,
  kept: Json,
  input: Record<string, unknown>,
): Promise<WizardState> {
  const typed = typedTexts(input);
  const [filled, project] = await Promise.all([draftFromTemplate(call, kept), projectIn(call, typed.project ?? "")]);
  const { current } = filled.draft;
  const draft: Draft = {
    ...filled.draft,
    typed,
    hostname: typed.hostname ?? "",
    discount: typed.discount ?? "",
    project: project.id ?? filled.draft.project,
  };
  const other = typed.product
    ? `The template names its own products, so “${prose(typed.product, 60)}” is left out.`
    : "";
  const settled = current
    ? await withTyped(call, await readProduct(call.client, current.product), draft)
    : { draft, notices: [] };
  const notice = [filled.notice, ...settled.notices, project.notice, other].filter((line) => line).join(" ");
  return { page: filled.page, draft: settled.draft, ...(notice ? { notice } : {}) };
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
  return { id: null, notice: `${prose(why, 300)} Choose the project on the last page.` };
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
