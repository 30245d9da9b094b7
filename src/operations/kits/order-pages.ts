import { matchTarget } from "../../access/resolve.ts";
import type { Json } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { belowFields, InputError, Refusal } from "../../operation/errors.ts";
import type { IndexedKind } from "../../operation/target.ts";
import type { ButtonPress, FormValues, WizardPage, WizardState } from "../../operation/wizard.ts";
import { characters, type PlainText } from "../../plain-text.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { clip, prose } from "../../views/text.ts";
import type { TypedFaults } from "./order-form.ts";

/** One page of an order form. `D` is the form's draft. */
export interface OrderPage<A extends ApiName, D> {
  view(call: CallContext<A>, draft: D): Promise<WizardPage>;
  check(values: FormValues): Record<string, string>;
  keep(draft: D, values: FormValues): D;
  /** The page after it. Throws an InputError for each value that is missing or wrong. */
  next(call: CallContext<A>, draft: D, pressed: ButtonPress | null): Promise<WizardState<D>>;
  /** True if the member must see it although it lacks no value. */
  asksMore?(call: CallContext<A>, draft: D): Promise<boolean>;
}

/** The page and the field of a value, by its name in a command or at the platform, in lower case without marks. */
type FieldPlace = readonly [name: RegExp, page: string, field: string];

type Typed = Json & { typed: Record<string, string> };

/** The product that the first page asks for. */
interface ProductChoice<A extends ApiName, D> {
  kind: IndexedKind<A>;
  /** "There is no product called", before a typed name that fits none. */
  unknown: string;
  /** The draft with this product; without its name, `check` reads the product. */
  choose(draft: D, product: { id: string; name: PlainText }): D;
  /** Throws a Refusal if the product of the draft cannot be ordered. */
  check(call: CallContext<A>, draft: D): Promise<{ draft: D; faults: TypedFaults }>;
}

/** The pages by name: the first asks for the product, and the second opens once it is chosen. */
type Pages<A extends ApiName, D> = Record<"product" | "plan", OrderPage<A, D>> & Record<string, OrderPage<A, D>>;

/** The pages of an order form in their order: the functions that a wizard calls, and the way in for typed values. */
export function orderPagesOf<A extends ApiName, D extends Typed>({
  pages,
  places,
  product,
  opening = (draft) => draft,
}: {
  pages: Pages<A, D>;
  places: readonly FieldPlace[];
  product: ProductChoice<A, D>;
  /** The draft with the line open to which an error belongs, by the error's name and page. */
  opening?: (draft: D, name: string, page: string) => D;
}) {
  const names = Object.keys(pages);
  const last = names.at(-1) ?? "";

  function pageOf(name: string): OrderPage<A, D> {
    // A form that an older version opened may name a page that is gone.
    return pages[name] ?? pages.product;
  }

  function placed(faults: TypedFaults) {
    return Object.entries(faults).map(([name, message]) => {
      const bare = name.replaceAll(/[_.\-[\]]/g, "").toLowerCase();
      const [, page = "", field = ""] = places.find(([pattern]) => pattern.test(bare)) ?? [];
      return { name, page, field, message };
    });
  }

  /** A page with its errors below their fields; errors of other pages and the notice stand above. */
  function shown(page: string, draft: D, faults: TypedFaults, notice = ""): WizardState<D> {
    const all = placed(faults);
    const here = all.filter((one) => one.page === page);
    const others = all.filter((one) => !here.includes(one)).map(({ message }) => prose(message));
    const above = [others.length > 0 ? `:warning: ${others.join(" ")}` : "", notice].filter((line) => line !== "");
    return {
      page,
      draft,
      faults: Object.fromEntries(here.map(({ field, message }) => [field, message])),
      ...(above.length > 0 ? { notice: above.join("\n") } : {}),
    };
  }

  /** The first page from `page` on that asks for something, or has an error. Typed values have filled in those before it. */
  async function opened(
    call: CallContext<A>,
    from: { page: string; draft: D; notice?: string },
    faults: TypedFaults,
  ): Promise<WizardState<D>> {
    let { page, draft, notice = "" } = from;
    const { typed } = draft;
    let known = faults;
    while (page !== last) {
      known = { ...pageOf(page).check(typed), ...known };
      if (!placed(typed).some((one) => one.page === page)) break;
      if (placed(known).some((one) => one.page === page)) break;
      if (await pageOf(page).asksMore?.(call, draft)) break;
      try {
        const after = await pageOf(page).next(call, draft, null);
        notice = [notice, after.notice ?? ""].filter((line) => line !== "").join("\n");
        ({ page, draft } = after);
      } catch (error) {
        if (error instanceof InputError) {
          // A value that nobody typed is only missing: its page asks for it.
          const wrong = belowFields(error).filter(({ field }) => field in typed);
          return shown(page, draft, {
            ...known,
            ...Object.fromEntries(wrong.map((one) => [one.field, characters(one.message)])),
          });
        }
        if (!(error instanceof Refusal)) throw error;
        return shown(page, draft, known, `:warning: ${error.message}`);
      }
    }
    const state = shown(page, draft, known, notice);
    const isWhole = page === last && Object.keys(known).length === 0 && notice === "";
    return isWhole ? { ...state, complete: true } : state;
  }

  /** The first page for the typed values: the product, unless the typed name fits exactly one that can be ordered. */
  async function begun(call: CallContext<A>, draft: D, faults: TypedFaults, notice = ""): Promise<WizardState<D>> {
    const typed = draft.typed.product;
    if (typed === undefined) return shown("product", draft, faults, notice);
    const match = matchTarget((await call.listing(product.kind)).entries, typed);
    if (match.kind !== "one") {
      const why = match.kind === "none" ? product.unknown : "More than one product is called";
      return shown("product", draft, { product: `${why} “${clip(typed, 100)}”. Choose one.`, ...faults }, notice);
    }
    const { id, name } = match.entry;
    try {
      const chosen = await product.check(call, product.choose(draft, { id, name: "" }));
      return opened(call, { page: "plan", draft: chosen.draft, notice }, { ...chosen.faults, ...faults });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const above = [`:warning: ${error.message}`, notice].filter((line) => line !== "").join("\n");
      return shown("product", product.choose(draft, { id, name }), faults, above);
    }
  }

  return {
    begun,
    opened,
    shown,
    wizard: {
      view: (call: CallContext<A>, page: string, draft: D) => pageOf(page).view(call, draft),
      check: (page: string, values: FormValues) => pageOf(page).check(values),
      keep: (page: string, draft: D, values: FormValues) => pageOf(page).keep(draft, values),
      next: (call: CallContext<A>, page: string, draft: D, pressed: ButtonPress | null): Promise<WizardState> =>
        pageOf(page).next(call, draft, pressed),
      correct(page: string, draft: D, faults: TypedFaults): WizardState {
        const [first] = placed(faults)
          .filter((one) => one.page !== "")
          .sort((a, b) => names.indexOf(a.page) - names.indexOf(b.page));
        return first ? shown(first.page, opening(draft, first.name, first.page), faults) : shown(page, draft, faults);
      },
      last,
    },
  };
}
