import { wrongInput } from "../../../operation/errors.ts";
import { generatePassword } from "../../../operation/passwords.ts";
import { parseJson } from "../../../platform/http/json.ts";
import { type CapturedImage, listCapturedImages } from "../../../platform/reseller/images.ts";
import { type ProductSchema, readProductSchema } from "../../../platform/reseller/products.ts";
import { namesSecret } from "../../../secret-parts.ts";
import { actions, type Block, button, context, section } from "../../../views/blocks.ts";
import { code, count } from "../../../views/text.ts";
import { imageField, selectField, textField } from "../../kits/order-form.ts";
import type { OrderPage } from "../../kits/order-pages.ts";
import { type FormField, formFieldsOf, secretFieldsOf } from "../product/schema-fields.ts";
import { chosenProduct, type Draft } from "./draft.ts";

const fieldPrefix = "form:";
const jsonField = "json";
/** The ids of fields whose values no page shows again. */
const secretPrefix = "secret:";

/** The third page: the system, and the fields of a provider's own form. */
export const detailsPage: OrderPage<"reseller", Draft> = {
  async view({ client }, draft) {
    const schema = await readProductSchema(client, chosenProduct(draft));
    const own = hasSystems(schema) ? await listCapturedImages(client) : [];
    return {
      title: "Order: the details",
      submit: "Next",
      blocks: [
        section(`*${code(draft.product?.name ?? "")}*`),
        ...systemFields(schema, own, draft),
        ...formFields(schema, draft),
        ...actions([button("Back to the plan", "page:back", "plan")]),
      ],
    };
  },
  check(values): Record<string, string> {
    const text = values[jsonField];
    if (typeof text !== "string" || text.trim() === "" || readForm(text) !== null) return {};
    return { [jsonField]: 'This must be a JSON object of texts, numbers and yes or no, such as {"slots": 10}.' };
  },
  keep(draft, values) {
    const image = typeof values.image === "string" ? values.image : draft.image;
    const json = typeof values[jsonField] === "string" ? unmasked(readForm(values[jsonField]) ?? {}, draft.form) : {};
    const filled = Object.entries(values).flatMap(([id, value]) =>
      id.startsWith(fieldPrefix) && typeof value === "string" && value !== ""
        ? [[id.slice(fieldPrefix.length), value] as const]
        : [],
    );
    // A secret that is left empty stays as it was.
    const secrets = Object.entries(values).flatMap(([id, value]) => {
      const name = id.slice(secretPrefix.length);
      const kept = typeof value === "string" && value !== "" ? value : draft.form[name];
      return id.startsWith(secretPrefix) && kept !== undefined ? [[name, kept] as const] : [];
    });
    const form = { ...json, ...Object.fromEntries([...filled, ...secrets]) };
    return { ...draft, image, form, generated: draft.generated.filter((name) => form[name] === draft.form[name]) };
  },
  async next({ client }, draft, pressed) {
    if (pressed?.verb === "back") return { page: "plan", draft };
    const schema = await readProductSchema(client, chosenProduct(draft));
    if (hasSystems(schema) && draft.image === null) throw wrongInput("image", "Choose a system.");
    const form = { ...draft.form };
    const generated = [...draft.generated];
    for (const field of formFieldsOf(schema) ?? []) {
      // An empty optional one may mean that there is none, as for a game that everybody may join.
      if (field.kind === "password" && field.required && form[field.name] === undefined) {
        form[field.name] = generatePassword();
        generated.push(field.name);
      }
      const value = form[field.name];
      if (value === undefined && field.required)
        throw wrongInput(`${fieldPrefix}${field.name}`, `${field.label} is needed.`);
      if (value !== undefined) form[field.name] = typed(field, String(value));
    }
    return { page: "customer", draft: { ...draft, form, generated } };
  },
  asksMore: async ({ client }, draft) => asksForm(await readProductSchema(client, chosenProduct(draft))),
};

/** True where the product has anything for this page to ask. */
export function hasDetails(schema: ProductSchema): boolean {
  return hasSystems(schema) || asksForm(schema);
}

/** True where the provider has a form of its own, which no command can fill in. */
function asksForm(schema: ProductSchema): boolean {
  const fields = formFieldsOf(schema);
  return fields === null || fields.length > 0;
}

function hasSystems({ osImages }: ProductSchema): boolean {
  return (osImages ?? []).length > 0;
}

function systemFields({ osImages }: ProductSchema, own: CapturedImage[], { image }: Draft): Block[] {
  const systems = osImages ?? [];
  if (systems.length === 0) return [];
  const ready = own.filter(({ status }) => status === "available");
  const capturing = own.length - ready.length;
  return [
    imageField(
      { id: "image", label: "System", hint: "A captured image needs a plan that is at least as large." },
      systems,
      { label: "Your captured images", images: ready },
      image,
    ),
    ...(capturing > 0
      ? [context(`${count(capturing, "more image is", "more images are")} still being captured.`)]
      : []),
  ];
}

function formFields(schema: ProductSchema, { form }: Draft): Block[] {
  const fields = formFieldsOf(schema);
  if (fields === null) {
    const filled = Object.keys(form).length > 0 ? JSON.stringify(masked(form, secretFieldsOf(schema))) : "";
    const hint =
      "Rackbell cannot read the provider's form: /reseller product schema shows it. Fill it in as a JSON object.";
    return [
      textField({ id: jsonField, label: "The provider's own form", hint, optional: true }, filled, { multiline: true }),
    ];
  }
  return fields.map((field) => fieldBlock(field, form[field.name]));
}

function secretBlock({ name, label, hint, required }: FormField, isKept: boolean): Block {
  const empty = required ? "one is generated and shown to you once" : "there is none";
  const hints = [
    hint,
    `If empty, ${isKept ? "it stays as it was filled in" : empty}. Slack does not hide the text typed here.`,
  ];
  const attributes = { id: `${secretPrefix}${name}`, label, optional: true };
  return textField({ ...attributes, hint: hints.filter((one) => one).join(" ") }, "");
}

function fieldBlock(field: FormField, given: Draft["form"][string] | undefined): Block {
  if (field.kind === "password") return secretBlock(field, given !== undefined);
  const value = given === undefined ? field.preset : String(given);
  const attributes = {
    id: `${fieldPrefix}${field.name}`,
    label: field.label,
    optional: !field.required,
    ...(field.hint ? { hint: field.hint } : {}),
  };
  if (field.kind === "toggle")
    return selectField(attributes, [yes, no], value === null ? null : value === "true" ? "true" : "false");
  return field.options.length > 0 ? selectField(attributes, field.options, value) : textField(attributes, value ?? "");
}

const yes = { value: "true", label: "Yes" };
const no = { value: "false", label: "No" };

function typed({ kind, name, label }: FormField, text: string): string | number | boolean {
  if (kind === "toggle") return text === "true";
  if (kind === "text" || kind === "password") return text;
  const number = Number(text);
  if (Number.isFinite(number)) return number;
  throw wrongInput(`${fieldPrefix}${name}`, `${label}: this must be a number.`);
}

/** Stands in the JSON box for a secret that was typed before: no page shows a secret again. */
const mask = "(as typed before)";

function masked(form: Draft["form"], secret: Set<string>): Draft["form"] {
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, secret.has(name) || namesSecret(name) ? mask : value]),
  );
}

function unmasked(form: Draft["form"], before: Draft["form"]): Draft["form"] {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      const kept = value === mask ? before[name] : value;
      return kept === undefined ? [] : [[name, kept] as const];
    }),
  );
}

function readForm(text: string): Draft["form"] | null {
  try {
    const read: unknown = parseJson(text);
    if (typeof read !== "object" || read === null || Array.isArray(read)) return null;
    const entries = Object.entries(read).flatMap(([name, value]: [string, unknown]) =>
      typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? [[name, value] as const]
        : [],
    );
    return entries.length === Object.keys(read).length ? Object.fromEntries(entries) : null;
  } catch {
    return null;
  }
}
