import { actorOf } from "../engine/access.ts";
import { stepBlocks } from "../engine/answers/answers.ts";
import { linkStep } from "../engine/answers/error-text.ts";
import type { AppContext } from "../engine/app-context.ts";
import type { Request } from "../engine/requests/request.ts";
import { stateWords, titleOf } from "../engine/requests/view.ts";
import type { Linked } from "../identities/identities.ts";
import { fieldsOf } from "../operation/fields.ts";
import type { Actor, Operation, Step } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import { type Bill, billOf } from "../operations/billing/bill.ts";
import { listInvoices, listProformas } from "../platform/customer/billing.ts";
import { type Block, context, divider, header, paragraphs, section, type View } from "../views/blocks.ts";
import { moment, money } from "../views/format.ts";
import { code, count, prose } from "../views/text.ts";

const mostLines = 10;

/**
 * The Home tab: who the member is linked as, what waits for a decision, what goes on, unpaid documents, and the way in
 * to each noun. `unpaid` is read from the platform, so it comes in a second round.
 */
export async function homeView(
  services: AppContext,
  who: { member: string; slackUser: string },
  unpaid: Block[],
): Promise<View> {
  const linked = await services.identities.find(who.member);
  const actor: Actor = linked ? actorOf(linked) : { ...who, scopes: [], keyLabel: "", project: null };
  const blocks: Block[] = [
    header("Rackbell"),
    ...whoBlocks(linked),
    ...stepBlocks(linked ? waysIn(services.registry) : [linkStep], services.registry, actor.scopes),
    divider(),
    ...waitingBlocks(await services.requests.pending(), actor),
    divider(),
    ...(await goingOn(services, who.member)),
    ...(unpaid.length > 0 ? [divider(), ...unpaid] : []),
  ];
  return { type: "home", blocks };
}

function whoBlocks(linked: Linked | null): Block[] {
  if (!linked) {
    return [
      section(
        "You have not linked a key yet. Rackbell acts with your own key of the hosting platform, so that it can do what you can do and no more.",
      ),
    ];
  }
  const scopes = linked.scopes.map((scope) => code(scope)).join(" ");
  const who = section(`You act as *${prose(linked.user.name, 80)}* with the key ${code(linked.keyLabel)}: ${scopes}`);
  if (!linked.refusedAt) return [who];
  return [
    who,
    section(
      `:warning: The platform refused this key ${moment(linked.refusedAt)}. If it was revoked or has expired, link a new one: \`/rackbell link\`.`,
    ),
  ];
}

/** The first thing of each noun that needs no further word: its list. */
function waysIn(registry: Registry): Step[] {
  const own = ["approvals", "help", "whoami"].map(
    (verb): Step => ({ label: labelOf(registry, `rackbell ${verb}`), command: `rackbell ${verb}` }),
  );
  const nouns = registry.nouns.filter((noun) => noun !== "rackbell");
  const lists = nouns.flatMap((noun): Step[] => {
    const first = registry.under(noun).find(needsNothing);
    return first ? [{ label: `/${noun} ${first.command.split(" ").slice(1).join(" ")}`, command: first.command }] : [];
  });
  return [...lists, ...own];
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

function waitingBlocks(pending: Request[], actor: Actor): Block[] {
  const open = pending.filter((request) => request.risk === "destroy" || request.member === actor.member);
  if (open.length === 0) return [section("*Waiting to be decided*\nNothing.")];
  const lines = open.slice(0, mostLines).map((request) => {
    const when = request.state === "pending" ? `expires ${moment(request.expiresAt)}` : stateWords(request);
    return `• *${titleOf(request)}* · <@${request.slackUser}> · ${when}`;
  });
  return [
    ...paragraphs(["*Waiting to be decided*", ...lines]),
    context(`${count(open.length, "request")}; \`/rackbell approvals\` has the buttons.`),
  ];
}

async function goingOn({ follow }: AppContext, member: string): Promise<Block[]> {
  const running = await follow.running(member);
  if (running.length === 0) return [section("*Going on for you*\nNothing.")];
  const lines = running
    .slice(0, mostLines)
    .map(({ lead, text, since }) => `• ${lead}: ${text} (since ${moment(since)})`);
  const more = running.length > lines.length ? [`and ${running.length - lines.length} more`] : [];
  return paragraphs(["*Going on for you*", ...lines, ...more]);
}

/** What is not paid yet, as the member's own key sees it; nothing when they have none. Platform errors pass through. */
export async function unpaidBlocks({ identities }: AppContext, member: string): Promise<Block[]> {
  const client = await identities.client(member);
  if (!client) return [];
  const query = { status: "unpaid", limit: 5 };
  const [invoices, proformas] = await Promise.all([listInvoices(client, query), listProformas(client, query)]);
  const kinds = [
    { kind: "invoice", page: invoices },
    { kind: "proforma", page: proformas },
  ] as const;
  const lines = kinds.flatMap(({ kind, page }) => {
    const { rows, pagination } = page;
    const shown = rows.map((row) => unpaidLine(billOf(kind, row)));
    return pagination.total > rows.length
      ? [...shown, `and ${count(pagination.total - rows.length, `more ${kind}`)}`]
      : shown;
  });
  if (lines.length === 0) return [section("*Unpaid*\nNothing.")];
  return [
    ...paragraphs(["*Unpaid*", ...lines]),
    context("`/billing pay` pays one; it shows the amount and asks first."),
  ];
}

function unpaidLine({ type, name, total, currency }: Bill): string {
  return `• ${type} ${code(name)} · ${money(total, currency)}`;
}
