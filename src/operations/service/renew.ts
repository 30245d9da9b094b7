import * as z from "#zod";
import { type Precondition, priceBeforeTax, priceIn } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import { Refusal } from "../../operation/errors.ts";
import { timeIs } from "../../operation/preconditions.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { listInvoices, listProformas, readInvoice, readProforma } from "../../platform/customer/billing.ts";
import { listServices, readService, renewService, type Service } from "../../platform/customer/services.ts";
import { previewUpgrades } from "../../platform/customer/upgrades.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { isInactive } from "../../platform/service-stage.ts";
import { moment, money } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { costOf, payStep } from "../billing/bill.ts";
import { balanceFact, oncePaidWithTax, payingWords, readOwnBalance, taxFact } from "../kits/balance.ts";
import { naming } from "./own-names.ts";
import { endsAt, service, serviceName, serviceState } from "./service.ts";
import { endPrecondition, paymentDueOn, priceOf, readEnd, readTerms, readTermsOf, type Terms } from "./terms.ts";
import { findOpenDocument, freshTraces, readTraces, Traces } from "./traces.ts";

const Before = z.object({ due: z.string().nullable(), traces: Traces });

export const renew = defineOperation({
  command: "service renew",
  synonyms: ["extend", "/vps renew", "/vps extend", "/dedicated renew"],
  summary: "Issue a service's next renewal document now, before it is due",
  example: "/service renew web-1",
  act: renewService,
  reads: [
    readService,
    listServices,
    readVps,
    previewUpgrades,
    listInvoices,
    listProformas,
    readInvoice,
    readProforma,
    readBalance,
  ],
  risk: "spend",
  effects: [{ aspect: "payment", on: "made", to: ["new"], later: true }],
  target: service,
  input: z.object({}),
  bulk: {
    each: () => "This will issue its next renewal, which has to be paid.",
    personal: async ({ client }) => balanceFact(await readOwnBalance(client), null),
    async rows({ client, targets }) {
      const rows = targets.map(({ service: row }) => row);
      const known = await readTermsOf(
        client,
        rows.filter((row) => refusalOf(row, null) === null),
      );
      return rows.map((row) => {
        const terms = known.get(row.id) ?? null;
        const refusal = refusalOf(row, terms);
        const ends = terms ? terms.ends : endsAt(row);
        return {
          preconditions: { ...(terms && { paidUntil: paidUntil(terms) }), ...endPrecondition(ends) },
          price: terms ? priceBeforeTax(terms.amount, terms.currency) : "unknown",
          warnings: ends ? ["Cancelled, and not kept by this"] : [],
          refusal,
        };
      });
    },
  },
  async usable(call) {
    const { client, target, name } = call;
    const { service: row } = target;
    const refusal = refusalOf(row, null);
    if (refusal) throw refusal;
    const terms = await readTerms(client, row);
    const byTerms = refusalOf(row, terms);
    if (byTerms) throw byTerms;
    const open = await findOpenDocument(call, row);
    if (!open) return;
    const { type, detail } = open;
    throw new Refusal(
      `${type === "invoice" ? "An invoice" : "A proforma"} for ${name} is open already: ${money(detail.remaining_amount, terms?.currency ?? null)} is to be paid. The platform issues no other before that one is paid. Nothing was sent.`,
      [payStep(detail.document.id)],
    );
  },
  async review({ client, target: { service: row }, name }) {
    const terms = await readTerms(client, row);
    const end = await readEnd(client, row);
    const price = terms ? priceBeforeTax(terms.amount, terms.currency) : "unknown";
    return {
      consequence: `This will issue the next renewal of ${name}, which has to be paid${terms ? `: ${money(terms.amount, terms.currency)}, and tax where it is due` : ""}.`,
      preconditions: {
        price: {
          value: terms && [terms.amount, terms.currency, terms.cycle],
          label: "Price",
          text: priceOf(terms),
        },
        paidUntil: paidUntil(terms),
        ...end.precondition,
      },
      warnings: end.warning,
      shown: [
        taxFact,
        {
          label: "Paying",
          value: `${payingWords} The platform refuses this while any document of the service is open.`,
        },
      ],
      personal: balanceFact(await readOwnBalance(client), price, oncePaidWithTax),
      price,
      before: { due: terms?.due ?? null, traces: await readTraces(client, null) },
    };
  },
  async run(call, before) {
    const { client, target, name } = call;
    const { service: row } = target;
    const { traces } = Before.parse(before);
    const terms = await readTerms(client, row);
    const currency = terms?.currency ?? null;
    const made = await renewService(client, row.id);
    const cost = made ? costOf(made, currency) : undefined;
    // The contract does not describe the answer: if it names no document, search for it.
    if (!made?.document && made?.settled !== true) {
      const its = await findDocument(call, row, traces, currency).catch(() => null);
      if (its?.found) return { text: `The renewal of ${name} was issued. ${its.text}`, next: its.next, cost: its.cost };
      const documents = { label: "Invoices", command: "billing invoices" };
      const text = `The renewal of ${name} was issued. The platform did not name its document: check your documents.`;
      return { text, next: [documents] };
    }
    const owed = await paymentDueOn(client, made, currency);
    if (!owed) return { text: `The renewal of ${name} was issued, and nothing is left to pay.`, cost };
    return { text: `The renewal of ${name} was issued. ${owed.text}`, next: owed.next, cost };
  },
  async reconcile(call, { before }) {
    const { client, target, name } = call;
    const { service: row } = target;
    const was = Before.parse(before);
    const terms = await readTerms(client, row);
    const due = terms?.due ?? null;
    if (due && was.due && Date.parse(due) > Date.parse(was.due))
      return { is: "done", text: `${name} is paid until ${moment(due)} now.` };
    const its = await findDocument(call, row, was.traces, terms?.currency ?? null);
    if (its.found)
      return { is: "done", text: `there is a new document for ${name}. ${its.text}`, next: its.next, cost: its.cost };
    if (its.others)
      return { is: "unsure", text: `There is a new document. The platform does not show whether it is for ${name}.` };
    if (!its.whole)
      return { is: "unsure", text: "Rackbell cannot read all your documents, so the outcome is unknown." };
    return { is: "not done", text: `no document for ${name} was made.` };
  },
});

/** The refusal of a renewal that the platform would refuse. Spec section 4.2. */
function refusalOf(row: Service, terms: Terms | null): Refusal | null {
  const name = code(serviceName(row));
  if (isInactive(row.status))
    return new Refusal(`${name} is ${serviceState(row)}: only an active service can be renewed. Nothing was sent.`);
  if (terms?.cycle === "hourly")
    return new Refusal(`${name} is billed by the hour, so there is nothing to renew. Nothing was sent.`);
  return null;
}

/** The new document that surely names the service. Otherwise: `others` if there are other new ones, and `whole` if all could be read. */
async function findDocument(
  call: Pick<CallContext<"customer">, "client" | "confinedTo">,
  row: Service,
  before: Traces,
  currency: string | null,
) {
  const { documents, whole } = await freshTraces(call.client, null, before);
  const [its] = await naming(call, row, documents, { fresh: true });
  if (!its) return { found: false as const, others: documents.length > 0, whole };
  const { document, settled, remaining_amount: left } = its.detail;
  const own = typeof document.currency === "string" ? document.currency : currency;
  const text = settled ? "Nothing is left to pay on it." : `Of the ${its.type}, ${money(left, own)} is to be paid.`;
  const cost = { price: priceIn(document.total, own), document: document.id };
  return { found: true as const, text, next: settled ? [] : [payStep(document.id)], cost };
}

function paidUntil(terms: Terms | null): Precondition {
  return timeIs("Paid until", terms?.due, "The platform does not show it.");
}
