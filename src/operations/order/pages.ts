import type { Json } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { ambiguityMessage, matchingChoices } from "../../operation/input.ts";
import { reasonField } from "../../operation/reason.ts";
import { indexedKindOf } from "../../operation/target.ts";
import { chosenVerb, defineWizard, type WizardState } from "../../operation/wizard.ts";
import { characters } from "../../plain-text.ts";
import { type ProductDetail, readAvailability, readProduct } from "../../platform/customer/catalog.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { context } from "../../views/blocks.ts";
import { clip, code, prose, sentence } from "../../views/text.ts";
import { availabilityMeaning, refusesOrders } from "../catalog/places.ts";
import { priceLine, product } from "../catalog/product.ts";
import { searchField, suggestByName, type TypedFaults, typedTexts } from "../kits/order-form.ts";
import { type OrderPage, orderPagesOf } from "../kits/order-pages.ts";
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
    const line = newLine({ id, name: "" });
    // Another product replaces the open line: left in the order, the old one would be charged as well.
    return { ...draft, current: { ...line, id: draft.current?.id ?? line.id } };
  },
  async next(call, draft, pressed) {
    // Check the product as soon as it is chosen, so that a member does not fill in a sold-out order.
    const { found, draft: chosen, faults } = await chooseProduct(call, draft);
    if (pressed?.verb !== chosenVerb)
      return isFirst(chosen)
        ? pages.opened(call, { page: "plan", draft: chosen }, faults)
        : pages.shown("plan", chosen, faults);
    const lines = [
      `*${code(found.name)}* · ${priceLine(found)}`,
      specsOf(found.specs),
      ...Object.values(faults).map(prose),
    ];
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
  return { found, ...(isNew ? await withTyped(call, found, named) : { draft: named, faults: {} }) };
}

async function refuseSoldOut(call: CallContext<"customer">, found: ProductDetail, first: boolean): Promise<void> {
  const { code: verdict, reason } = await readAvailability(call.client, found.id);
  if (refusesOrders(verdict))
    throw new Refusal(
      `${code(found.name)} ${availabilityMeaning[verdict]}.${reason ? ` The platform says: ${sentence(prose(reason))}` : ""} Choose another product.`,
    );
  const open = found.locations.some(({ sold_out }) => !sold_out);
  if (found.location_required && !open && first)
    throw new Refusal(`${code(found.name)} has no location with room at the moment. Choose another product.`);
}

/** The order form: a product, its plan, its system, and the order as a whole. */
const pages = orderPagesOf({
  pages: { product: productPage, plan: planPage, system: systemPage, order: orderPage },
  places: [
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
    [/project/, "plan", "project"],
  ],
  product: {
    kind: indexedKindOf(product),
    unknown: "There is no product called",
    choose: (draft, chosen) => ({ ...draft, current: newLine(chosen) }),
    check: chooseProduct,
  },
  opening: atLine,
});

export const orderPages = defineWizard({
  draft: Draft,
  begin,
  ...pages.wizard,
  suggest: async (call, _page, _draft, field, query) =>
    field === "product" ? suggestByName(call, indexedKindOf(product), query) : [],
  enough: [["product", "cycle", "hostname", "image"]],
  template: { name: ({ template }) => template || null, save: templateOf, begin: beginFromTemplate },
  input: (draft) => ({ order: inputOf(draft), [reasonField]: draft.typed[reasonField] }),
});

/** The pages begin with the values typed in the command. Those that depend on the product wait until it is chosen. */
async function begin(call: CallContext<"customer">, input: Record<string, unknown>): Promise<WizardState> {
  const typed = typedTexts(input);
  const project = await projectIn(call, typed.project);
  const draft: Draft = {
    ...emptyDraft,
    typed,
    hostname: typed.hostname ?? "",
    project: project.id,
    discount: typed.discount ?? "",
  };
  return pages.begun(call, draft, project.faults);
}

/** A template with the values typed beside it. The template decides the product. */
async function beginFromTemplate(
  call: CallContext<"customer">,
  kept: Json,
  input: Record<string, unknown>,
): Promise<WizardState> {
  const typed = typedTexts(input);
  const [filled, project] = await Promise.all([draftFromTemplate(call, kept), projectIn(call, typed.project)]);
  const { current } = filled.draft;
  const draft: Draft = {
    ...filled.draft,
    typed,
    hostname: typed.hostname ?? "",
    discount: typed.discount ?? "",
    project: project.id ?? filled.draft.project,
  };
  const other = typed.product
    ? ` The template names its own products, so “${prose(typed.product, 60)}” is left out.`
    : "";
  const settled = current
    ? await withTyped(call, await readProduct(call.client, current.product), draft)
    : { draft, faults: {} };
  return pages.shown(
    filled.page,
    settled.draft,
    { ...settled.faults, ...project.faults },
    `${filled.notice ?? ""}${other}`.trim(),
  );
}

/** The project of a typed name, slug or id. If none or several match, `id` is null: the member then chooses on the last page. */
async function projectIn(
  { client }: CallContext<"customer">,
  typed: string | undefined,
): Promise<{ id: string | null; faults: TypedFaults }> {
  if (typed === undefined) return { id: null, faults: {} };
  const choices = (await listProjects(client.in(null))).map(projectChoice);
  const found = matchingChoices(typed, choices);
  const [only] = found;
  if (only && found.length === 1) return { id: only.value, faults: {} };
  const why = found.length > 1 ? ambiguityMessage(typed, found) : `There is no project “${clip(typed, 100)}”.`;
  return { id: null, faults: { project: `${characters(clip(why, 300))} Choose the project below its plan.` } };
}

/** Opens the line of an error: `items.2.…` is the third. Without an index it is the first. */
function atLine(draft: Draft, name: string, page: string): Draft {
  if (page === "order" || draft.current) return draft;
  const at = Number(/\d+/.exec(name)?.[0] ?? 0);
  return { ...draft, current: draft.lines[at] ?? draft.lines[0] ?? null };
}
