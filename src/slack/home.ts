import { stepBlocks } from "../engine/answers/answers.ts";
import { stepButtons } from "../engine/answers/buttons.ts";
import { linkStep } from "../engine/answers/error-text.ts";
import { type Offer, offerTo } from "../engine/answers/offer.ts";
import type { AppContext } from "../engine/app-context.ts";
import type { Request } from "../engine/requests/request.ts";
import { outcomeOf, stateWords, titleOf } from "../engine/requests/view.ts";
import { hasLink, keyNames, type Link, type Links } from "../identities/link.ts";
import type { Step } from "../operation/answer.ts";
import { Refusal } from "../operation/errors.ts";
import { fieldsOf } from "../operation/fields.ts";
import type { Operation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import { billOf, currencyFor } from "../operations/billing/bill.ts";
import { billLine } from "../operations/billing/documents.ts";
import { withDetails } from "../operations/billing/owed.ts";
import { listInvoices, listProformas } from "../platform/customer/billing.ts";
import { actions, type Block, context, divider, header, paragraphs, section, type View } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { code, count, prose } from "../views/text.ts";

const mostLines = 10;

/**
 * The Home tab: who the member is linked as, what waits for a decision, what goes on, unpaid documents, and the way in
 * to each noun. `unpaid` is read from the platform, so it comes in a second round.
 */
export async function homeView(
  context: AppContext,
  { member, user }: { member: string; user: string },
  unpaid: Block[],
): Promise<View> {
  const outside = await outsideWords(context, user);
  if (outside !== null) return { type: "home", blocks: [header("Rackbell"), section(outside)] };
  const links = await context.access.links(member);
  const offer = offerTo(links, context.registry);
  const blocks: Block[] = [
    header("Rackbell"),
    ...whoBlocks(links),
    ...stepBlocks(hasLink(links) ? waysIn(context.registry) : [linkStep], offer),
    ...(links.reseller ? soldOnBlocks(context.registry, offer) : []),
    divider(),
    ...waitingBlocks(await context.requests.openTo(member, { limit: mostLines })),
    divider(),
    ...(await goingOn(context, member)),
    ...(unpaid.length > 0 ? [divider(), ...unpaid] : []),
  ];
  return { type: "home", blocks };
}

/** What stands instead of all else for whom Rackbell does nothing. */
async function outsideWords({ access }: AppContext, user: string): Promise<string | null> {
  try {
    await access.admit(user);
    return null;
  } catch (error) {
    return error instanceof Refusal ? error.message : null;
  }
}

function whoBlocks({ customer, reseller }: Links): Block[] {
  const linked = [customer, reseller].filter((link) => link !== null);
  if (linked.length > 0) return linked.flatMap(linkBlocks);
  return [
    section(
      "You have not linked a key yet. Rackbell acts with your own key of the hosting platform, so that it can do what you can do and no more.",
    ),
  ];
}

function linkBlocks(link: Link): Block[] {
  const scopes = link.scopes.map((scope) => code(scope)).join(" ");
  const who = link.api === "customer" ? `You act as *${prose(link.user.name, 80)}*` : "You run what is sold on";
  const line = section(`${who} with the ${keyNames[link.api]} ${code(link.keyLabel)}: ${scopes}`);
  if (!link.rejectedAt) return [line];
  return [
    line,
    section(
      `:warning: The platform refused this key ${moment(link.rejectedAt)}. If it was revoked or has expired, link a new one: \`/rackbell link\`.`,
    ),
  ];
}

/** The first thing of each noun that needs no further word: its list. */
function waysIn(registry: Registry): Step[] {
  const own = ["approvals", "help", "whoami"].map(
    (verb): Step => ({ label: labelOf(registry, `rackbell ${verb}`), command: `rackbell ${verb}` }),
  );
  const nouns = registry.nouns.filter((noun) => noun !== "rackbell" && registry.topics.includes(noun));
  return [...listsOf(registry, nouns), ...own];
}

/** The lists of what is sold on: of no use to who has no reseller key. */
function soldOnBlocks(registry: Registry, offer: Offer): Block[] {
  const subNouns = registry.topics.filter((topic) => !registry.nouns.includes(topic));
  return [
    divider(),
    section("*What you sell on*"),
    ...actions(stepButtons(listsOf(registry, subNouns), offer), "sold-on"),
  ];
}

function listsOf(registry: Registry, topics: readonly string[]): Step[] {
  return topics.flatMap((topic): Step[] => {
    const first = registry.under(topic).find(needsNothing);
    return first ? [{ label: `/${first.command}`, command: first.command }] : [];
  });
}

function labelOf(registry: Registry, command: string): string {
  return registry.find(command)?.verb ?? command;
}

function needsNothing(operation: Operation): boolean {
  return (
    operation.risk === "read" &&
    operation.target === null &&
    fieldsOf(operation.input).every((field) => !field.required)
  );
}

function waitingBlocks({ requests, next }: { requests: Request[]; next: string | undefined }): Block[] {
  if (requests.length === 0) return [section("*Waiting to be decided*\nNothing.")];
  const lines = requests.map((request) => {
    const when = request.state === "pending" ? `expires ${moment(request.expiresAt)}` : stateWords(request);
    return `• *${titleOf(request)}* · <@${request.slackUser}> · ${when}`;
  });
  const more = next === undefined ? [] : ["and more"];
  return [
    ...paragraphs(["*Waiting to be decided*", ...lines, ...more]),
    context("`/rackbell approvals` has the buttons."),
  ];
}

async function goingOn({ requests }: AppContext, member: string): Promise<Block[]> {
  const running = (await requests.of(member)).filter(({ state }) => state === "working");
  if (running.length === 0) return [section("*Going on for you*\nNothing.")];
  const lines = running
    .slice(0, mostLines)
    .map((request) => `• *${titleOf(request)}*: ${outcomeOf(request)} (since ${moment(request.createdAt)})`);
  const more = running.length > lines.length ? [`and ${running.length - lines.length} more`] : [];
  return paragraphs(["*Going on for you*", ...lines, ...more]);
}

/** What is not paid yet, as the member's own key sees it; nothing when they have none. Platform errors pass through. */
export async function unpaidBlocks({ identities }: AppContext, member: string): Promise<Block[]> {
  const session = await identities.session(member, "customer");
  if (!session) return [];
  const { client } = session;
  const query = { status: "unpaid", limit: 5 };
  const [invoices, proformas] = await Promise.all([listInvoices(client, query), listProformas(client, query)]);
  const bills = await withDetails(client, [
    ...invoices.rows.map((row) => billOf("invoice", row)),
    ...proformas.rows.map((row) => billOf("proforma", row)),
  ]);
  if (bills.length === 0) return [section("*Unpaid*\nNothing.")];
  const currency = await currencyFor(client, bills[0]?.currency ?? null);
  const left = invoices.pagination.total + proformas.pagination.total - bills.length;
  return [
    ...paragraphs([
      "*Unpaid*",
      ...bills.map((bill) => billLine(bill, currency)),
      ...(left > 0 ? [`and ${count(left, "more document")}`] : []),
    ]),
    context("`/billing pay` pays one; it shows the amount and asks first."),
  ];
}
