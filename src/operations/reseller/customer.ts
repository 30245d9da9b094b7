import * as z from "#zod";
import { unknownFilter } from "../../messages/answers/filters.ts";
import { listFields } from "../../messages/answers/list.ts";
import { doneIf, type Precondition } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { Refusal } from "../../operation/errors.ts";
import { idFact } from "../../operation/identity.ts";
import { matching } from "../../operation/matching.ts";
import { nameIs, unreadIs } from "../../operation/preconditions.ts";
import { findSkipping } from "../../operation/reading.ts";
import { noTarget, type TargetKind } from "../../operation/target.ts";
import { readAllPages } from "../../platform/http/pages.ts";
import type { ResellerClient } from "../../platform/reseller/client.ts";
import {
  type Customer,
  changeCustomer,
  createCustomer,
  deleteCustomer,
  listCustomers,
} from "../../platform/reseller/customers.ts";
import { largestServicePage, listServices } from "../../platform/reseller/services.ts";
import { parseJson } from "../../process/json.ts";
import { characters, type PlainText } from "../../process/plain-text.ts";
import { paragraphs } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { jsonLines } from "../../views/json.ts";
import { code, count, dotted, listing } from "../../views/text.ts";
import { card } from "../kits/card.ts";
import { clearable, clearHint, isCleared, isStored, sendCleared } from "../kits/clearing.ts";
import { maybeGone, NotListed, present } from "../kits/gone.ts";
import { type KnownFacts, wholeLines } from "../kits/lines.ts";
import { listOperation } from "../kits/list.ts";
import { namesOf } from "../kits/losses.ts";
import { checkParams } from "../kits/provider-action.ts";
import { isEndState } from "../kits/service-states.ts";

/** Lists and names the partner's customers for pickers and commands, also by the partner's own id. The platform has no route for one record. */
export const customer: TargetKind<"reseller", Customer> = {
  noun: "customer",
  label: "customer",
  foundBy: "name, your own id for them, e-mail address",
  pageSize: 100,
  list: listCustomers,
  read: findCustomer,
  find: async (client, name) => (await listCustomers(client, { search: name, limit: 100 })).rows,
  entry: (row) => ({
    id: row.id,
    name: customerName(row),
    nameless: !row.external_customer_name,
    aliases: [row.external_customer_id, row.external_customer_email].filter((alias) => typeof alias === "string"),
    inEvents: row.external_customer_id,
    state: "",
    detail: dotted([row.external_customer_id, row.external_customer_email, servicesOf(row)]),
  }),
  identity: {
    project: "The reseller API knows no projects.",
    address: "A customer is no machine.",
    hostname: "A customer is no machine.",
    location: "A customer is no machine.",
    apart: ({ id }) => [idFact(id)],
  },
};

function customerName(row: Pick<Customer, "external_customer_name" | "external_customer_id">): PlainText {
  return row.external_customer_name || row.external_customer_id;
}

/** "3 services"; empty where the platform sends no count, as for a key bound to the customer. */
function servicesOf({ service_count: services }: Customer): string {
  return typeof services === "number" ? count(services, "service") : "";
}

/** Finds the one customer with this name, own id or e-mail address. Throws an InputError for none or several. */
export async function customerByText(client: ResellerClient, typed: string): Promise<Customer> {
  const all = await allCustomers(client);
  // The partner's own id is unique, and buttons carry it: another customer with the same name must not make it ambiguous.
  const own = all.find(({ external_customer_id: id }) => id === typed);
  if (own) return own;
  const found = matching(typed, all, (row) => {
    const { id, name, aliases } = customer.entry(row);
    return [id, name, ...aliases];
  });
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  const named = (rows: Customer[]) => rows.map((row) => row.external_customer_id).sort();
  if (only)
    throw unknownFilter("customer", `Customer: “${typed}” could be several customers. There is`, named(found), "and");
  throw unknownFilter("customer", `Customer: there is no “${typed}”. There is`, named(all), "and");
}

/** All customers, or all that the platform's own search finds. */
async function allCustomers(client: ResellerClient, search?: string): Promise<Customer[]> {
  const pages = await readAllPages(client, (page) =>
    listCustomers(client, { page, limit: 100, ...(search && { search }) }),
  );
  return pages.flat();
}

async function findCustomer(client: ResellerClient, id: string): Promise<Customer> {
  const found = await findSkipping(client, async (own) => (await allCustomers(own)).find((row) => row.id === id));
  if (found) return found;
  throw new NotListed("This customer is not in your list, or your key cannot see it.", "Nothing changed.");
}

/** The fields of a customer's record in a member's input. Reseller spec sections 4 and 8. */
const customerFields = {
  id: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta({ title: "Your own id", description: "As in your own books; 100 at most" }),
  email: z.email("this is no e-mail address.").max(255).meta({ title: "E-mail" }),
  name: z.string().trim().min(1).max(255).meta({ title: "Name" }),
};

const Metadata = z.record(z.string(), z.unknown());

/** Parses the JSON object that a member typed; null where it is not one. */
function readMetadata(text: string): Record<string, unknown> | null {
  try {
    return Metadata.safeParse(parseJson(text)).data ?? null;
  } catch {
    return null;
  }
}

const list = listOperation({
  kind: customer,
  command: "reseller customer list",
  synonyms: ["ls"],
  summary: "List your customers",
  example: "/reseller customer list bakery",
  act: listCustomers,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name, your own id or the e-mail address" }),
    page: listFields.page,
  }),
  many: "customers",
  mark: () => ":bust_in_silhouette:",
  more: { label: "New customer…", command: "reseller customer create" },
});

const show = defineOperation({
  command: "reseller customer show",
  synonyms: ["info", "details"],
  summary: "Show one of your customers",
  example: "/reseller customer show borealis",
  act: listCustomers,
  reads: [listServices],
  risk: "read",
  target: customer,
  input: z.object({}),
  async run({ client, target, name }) {
    const held = servicesOf(target);
    const served = target.service_count !== 0 && (await isServed(client, target));
    const text = `${name} is a customer${held ? `, with ${held}` : ""}.`;
    const metadata = Object.keys(target.metadata ?? {}).length > 0 ? jsonLines(target.metadata) : [];
    return card({
      text,
      title: `:bust_in_silhouette: *${text}*`,
      facts: factsOf(target),
      details: paragraphs(metadata),
      id: `Customer ${code(target.id)}`,
      next: [
        {
          label: "Services",
          command: "reseller service list",
          input: { customer: target.external_customer_id },
        },
        { label: "Order for them…", command: "reseller order new", input: { customer: target.external_customer_id } },
        { label: "Change…", command: "reseller customer change", target: target.id },
        ...(served ? [] : [{ label: "Delete…", command: "reseller customer delete", target: target.id }]),
      ],
    });
  },
});

function factsOf(row: Customer): KnownFacts {
  return [
    ["Your own id", code(row.external_customer_id)],
    ["E-mail", row.external_customer_email && code(row.external_customer_email)],
    ["Added", row.created_at && moment(row.created_at)],
    ["Name", row.external_customer_name && code(row.external_customer_name)],
    ["Services", servicesOf(row)],
  ];
}

const create = defineOperation({
  command: "reseller customer create",
  synonyms: ["new", "add"],
  summary: "Add a customer; the customer gets no login",
  example: "/reseller customer create harbour-books",
  act: createCustomer,
  reads: [listCustomers],
  risk: "change",
  effects: [],
  verb: "Add customer",
  target: noTarget,
  input: z.object({
    id: customerFields.id,
    name: customerFields.name.optional(),
    email: customerFields.email.optional(),
  }),
  positional: "id",
  async run({ client, input }, existed) {
    const { id, name, email } = input;
    const made = await createCustomer(client, {
      externalCustomerId: id,
      ...(email ? { externalCustomerEmail: email } : {}),
      ...(name ? { externalCustomerName: name } : {}),
    });
    // A platform may answer a new record with 200 as well, so the status proves nothing.
    const text =
      existed === true
        ? `${existsAlready(id, made)} Nothing changed.`
        : `The customer ${code(customerName(made))} is added. You can now order services for this customer.`;
    return {
      text,
      next: [
        { label: "Show", command: "reseller customer show", target: made.id },
        { label: "Order for them…", command: "reseller order new", input: { customer: made.external_customer_id } },
      ],
    };
  },
  // The platform answers an existing id with the unchanged record. Reseller spec section 4.3.
  before: async ({ client, input }) => (await customerOf(client, input.id)) !== undefined,
  async reconcile({ client, input: { id, name, email } }, { before }) {
    const row = await customerOf(client, id);
    if (!row) return { is: "not done", text: "there is no such customer." };
    if (before === true) return { is: "not done", text: existsAlready(id, row) };
    const isSame =
      (name === undefined || name === row.external_customer_name) &&
      (email === undefined || email.toLowerCase() === row.external_customer_email?.toLowerCase());
    if (isSame) return { is: "done", text: "the customer exists." };
    return { is: "unsure", text: `${existsAlready(id, row)} Its name or e-mail address is another one.` };
  },
});

async function customerOf(client: ResellerClient, id: string): Promise<Customer | undefined> {
  return (await allCustomers(client, id)).find((row) => row.external_customer_id === id);
}

function existsAlready(id: string, row: Pick<Customer, "external_customer_name" | "external_customer_id">): string {
  return `There is a customer with the id ${code(id)} already: ${code(customerName(row))}.`;
}

const change = defineOperation({
  command: "reseller customer change",
  synonyms: ["edit", "rename"],
  summary: "Change or clear the name, e-mail address or metadata of a customer",
  example: "/reseller customer change newcomer name=Newcomer",
  act: changeCustomer,
  reads: [listCustomers],
  // New metadata replaces all that is stored: whatever it leaves out is lost.
  risk: {
    usual: "change",
    of: ({ target, input: { metadata } }) => (metadataLoss(target, metadata) === null ? "change" : "destroy"),
  },
  effects: [],
  verb: "Change customer",
  target: customer,
  input: z
    .object({
      name: clearable(customerFields.name, 255)
        .meta({ title: "New name", description: clearHint, clearable: true })
        .optional(),
      email: clearable(customerFields.email, 255)
        .meta({ title: "New e-mail", description: clearHint, clearable: true })
        .optional(),
      metadata: z
        .string()
        .max(3_000)
        .optional()
        .superRefine(checkParams("this must be a JSON object.", readMetadata))
        .meta({
          title: "New metadata",
          format: "lines",
          description: "A JSON object, which replaces the stored one; {} empties it. An empty field changes nothing",
        }),
    })
    .refine((input) => Object.values(input).some((value) => value !== undefined), {
      path: ["name"],
      message: "give at least one field to change.",
    }),
  current: ({ external_customer_name: name, external_customer_email: email, metadata }) => ({
    name: name && characters(name),
    email,
    metadata: metadata && JSON.stringify(metadata),
  }),
  review: async ({ target, input: { metadata } }) => ({
    consequence: metadataLoss(target, metadata) ?? "",
    back: "Leave it as it is",
    preconditions: metadata === undefined ? {} : { metadata: metadataIs(target) },
  }),
  async run({ client, target, input: { name, email, metadata } }) {
    const replaced = metadata === undefined ? null : readMetadata(metadata);
    await sendCleared([name, email], (sent) =>
      changeCustomer(client, target.id, {
        ...(name ? { externalCustomerName: sent(name) } : {}),
        ...(email ? { externalCustomerEmail: sent(email) } : {}),
        ...(replaced ? { metadata: replaced } : {}),
      }),
    );
    const done = [
      name && (isCleared(name) ? "now has only your own id as a name" : `is now called ${code(name)}`),
      email && (isCleared(email) ? "now has no e-mail address" : "has a new e-mail address"),
      replaced && "has new metadata, in place of all that was stored",
    ].filter((part) => typeof part === "string");
    return {
      text: `The customer ${code(customerName(target))} ${listing(done)}.`,
      next: [{ label: "Show", command: "reseller customer show", target: target.id }],
    };
  },
  async reconcile({ target, input: { name, email, metadata } }) {
    if (metadata !== undefined) return { is: "unsure", text: "Look at the customer's entry." };
    const isSet =
      (name === undefined || isStored(name, target.external_customer_name)) &&
      (email === undefined || isStored(email, target.external_customer_email));
    return doneIf(isSet, "the customer's entry shows the new values.", "the customer's entry did not change.");
  },
});

/** The loss of stored metadata that new metadata leaves out, as a sentence; null if it leaves none out. Reseller spec section 4. */
function metadataLoss(row: Customer, typed: string | undefined): string | null {
  const replacing = typed === undefined ? null : readMetadata(typed);
  if (replacing === null) return null;
  if (row.metadata === undefined)
    return "The platform does not show the stored metadata. All that the new metadata leaves out will be lost.";
  const lost = leftOut(row.metadata ?? {}, replacing);
  if (lost.length === 0) return null;
  return `The new metadata replaces all that is stored for ${code(customerName(row))}. It leaves out ${namesOf(lost.map((path) => code(path, 60)))}, which will be lost.`;
}

/** The paths of all that `stored` has and `replacing` has not, at any depth. */
function leftOut(stored: unknown, replacing: unknown): string[] {
  const after = new Map(fieldsIn(replacing));
  return fieldsIn(stored).flatMap(([key, value]) =>
    after.has(key) ? leftOut(value, after.get(key)).map((path) => `${key}.${path}`) : [key],
  );
}

function fieldsIn(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function metadataIs({ metadata }: Customer): Precondition {
  if (metadata === undefined) return unreadIs("Metadata now");
  const lines = Object.keys(metadata ?? {}).length > 0 ? jsonLines(metadata) : [];
  return { value: lines, label: "Metadata now", text: wholeLines(lines, 1_500, "\n") || "none" };
}

const remove = defineOperation({
  command: "reseller customer delete",
  group: "settings",
  synonyms: ["remove"],
  summary: "Delete a customer entry that you no longer need",
  example: "/reseller customer delete newcomer",
  act: deleteCustomer,
  reads: [listCustomers, listServices],
  risk: "destroy",
  effects: [],
  verb: "Delete customer",
  target: maybeGone(customer),
  input: z.object({}),
  async review({ client, target, name }) {
    const found = present(target, "customer");
    await refuseWhileServed(client, found);
    return {
      consequence: `This will delete the customer entry of ${name} and revoke every key bound to this customer. Past orders and ended services stay, without a customer. This cannot be undone.`,
      preconditions: {
        customer: nameIs("Customer", customerName(found)),
        ownId: nameIs("Your own id", found.external_customer_id),
      },
    };
  },
  async run({ client, target, name }) {
    present(target, "customer");
    await deleteCustomer(client, target.id);
    return {
      text: `The customer ${name} is deleted. Keys that were bound to this customer no longer work.`,
      next: [{ label: "Customers", command: "reseller customer list" }],
    };
  },
  reconcile: async ({ target: { row }, name }) =>
    doneIf(row === null, "the customer entry is gone.", `the customer entry of ${name} is still there.`),
});

/** The number of the customer's services that are neither terminated nor cancelled. */
async function livingServices(
  client: ResellerClient,
  { external_customer_id: externalCustomerId }: Customer,
): Promise<number> {
  const pages = await readAllPages(client, (page) =>
    listServices(client, { page, limit: largestServicePage, externalCustomerId }),
  );
  return pages.flat().filter(({ status }) => !isEndState(status)).length;
}

/** True where some service lives. One active service decides that in one call; without one, the others are counted. */
async function isServed(client: ResellerClient, row: Customer): Promise<boolean> {
  const one = { status: "active", limit: 1, externalCustomerId: row.external_customer_id } as const;
  return (await listServices(client, one)).rows.length > 0 || (await livingServices(client, row)) > 0;
}

/** The platform refuses to delete a customer who has a live service. This check names the obstacle before anybody approves. */
async function refuseWhileServed(client: ResellerClient, found: Customer): Promise<void> {
  const living = await livingServices(client, found);
  if (living === 0) return;
  const [still, them] = living === 1 ? ["is", "it"] : ["are", "them"];
  throw new Refusal(
    `${code(customerName(found))} has ${count(living, "service")} that ${still} neither terminated nor cancelled. The customer cannot be deleted yet. Nothing changed. Terminate ${them} first.`,
    [{ label: "Their services", command: "reseller service list", input: { customer: found.external_customer_id } }],
  );
}

/** Operations on the records of the partner's customers, in the order of the guide. */
export const customerOperations = [list, show, create, change, remove];
