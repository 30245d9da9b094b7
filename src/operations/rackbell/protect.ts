import * as z from "#zod";
import type { AuditKind } from "../../audit/kinds.ts";
import { slackUserIn } from "../../members/identities/person.ts";
import { resourceText } from "../../members/resources/favourites.ts";
import { findResource } from "../../members/resources/finder.ts";
import { findStored } from "../../members/resources/stored-names.ts";
import { isAdmin, secondAdmins } from "../../messages/admins.ts";
import { rowBlocks } from "../../messages/answers/answers.ts";
import type { Answer } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { asksForPasskeys, protect as keep, proposeLift, readPolicy } from "../../policy/policy.ts";
import { mostProtections, type Protection } from "../../policy/protection/protection.ts";
import { showProtection } from "../../requests/facets/protection/steps.ts";
import { incompleteBlocks, incompleteWords } from "../../requests/partly-visible.ts";
import { accessOf } from "../../requests/visibility.ts";
import { section, context as small } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, count } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { resourceInput } from "./favourites.ts";

const command = "rackbell protect";
const listStep = { label: "All protected", command };

export const protect = defineAppOperation({
  command,
  synonyms: [
    ...["protected", "protections"],
    ...["unprotect", "protect lift"].map((words) => ({ words, input: { lift: "yes" } })),
  ],
  summary: "Protect a resource: each act that destroys it asks for its name; alone, list what is protected",
  example: "/rackbell protect web-1",
  verb: "Protect a resource",
  admins: ["lift"],
  routes: [],
  input: z
    .object({
      thing: resourceInput.optional(),
      lift: z.boolean().optional().meta({
        title: "Lift the protection",
        description: "Another admin must agree",
        byButton: true,
      }),
    })
    .refine(({ thing, lift }) => thing !== undefined || !lift, { path: ["thing"], message: "name what you mean." }),
  positional: "thing",
  // While a rule needs a passkey, a protection is not lifted without one either.
  async passkey({ context, actor, input: { thing, lift } }) {
    const found = lift && thing ? await protectionNamed(context, actor, thing) : null;
    if (!found || !(await asksForPasskeys(context))) return null;
    const outcome = liftWords(found);
    const entries: AuditKind[] = ["policy change proposed"];
    return { text: outcome, facts: [found.id, found.at], entries, outcome };
  },
  run({ context, actor, input: { thing, lift } }): Promise<Answer> {
    if (thing === undefined) return listProtections(context, actor);
    return lift ? liftIt(context, actor, thing) : protectIt(context, actor, thing);
  },
});

async function protectIt(context: AppContext, actor: Actor, thing: string): Promise<Answer> {
  const { bound, id, entry } = await findResource(context, actor.member, thing);
  const { name } = entry;
  const card = bound.operation.target?.card ?? "";
  const outcome = `${code(name)} is protected.`;
  const done = await keep(context, { id, card, name }, { ...actor, command, outcome });
  if (done === "full")
    throw new Refusal(
      `${mostProtections} resources are protected, and no more can be. Nothing changed. Have one lifted first.`,
      [listStep],
    );
  if (done === "known") return { text: `${code(name)} is protected already. Nothing changed.`, next: [listStep] };
  await showProtection(context.requests, id);
  return {
    text: `:lock: ${code(name)} is protected now. Each person who decides an act that destroys it types its name first. Lifting this takes two admins.`,
    next: [{ label: "Show", command: card, target: id }, listStep],
  };
}

function liftWords({ name, by, at }: Protection): string {
  return `The protection of ${code(name)} ends, which <@${slackUserIn(by)}> set ${moment(at)}.`;
}

async function liftIt(context: AppContext, actor: Actor, thing: string): Promise<Answer> {
  const found = await protectionNamed(context, actor, thing);
  const second = await secondAdmins(context, actor.member);
  if (second === null)
    throw new Refusal(
      "Lifting a protection takes a second admin, and no other admin has linked a key. Nothing changed. You can still destroy it: type its name.",
      [listStep],
    );
  const outcome = liftWords(found);
  const change = await proposeLift(context, found, { ...actor, command, outcome, second });
  if (change === null) throw new Refusal(`${code(found.name)} is not protected any more. Nothing changed.`, [listStep]);
  return {
    text: `You proposed to lift the protection of ${code(found.name)}. Every admin gets it by direct message, and another one must agree within 24 hours. Nothing changed yet.`,
    next: [{ label: "Do not lift it", command: "rackbell policy drop", input: { change } }, listStep],
  };
}

async function protectionNamed(context: AppContext, { member }: Actor, typed: string): Promise<Protection> {
  const found = await findStored(context, member, (await readPolicy(context)).protections, typed);
  if (found) return found;
  throw wrongInput("thing", "Nothing of that name is protected. Type /rackbell protect to see all.");
}

/** So many have their own buttons in one message. */
const mostRows = 20;

async function listProtections(context: AppContext, actor: Actor): Promise<Answer> {
  const { protections, proposals } = await readPolicy(context);
  const look = accessOf(context.requests, actor);
  const admin = await isAdmin(context, actor.slackUser);
  const shown = (await look.machinesOf({ by: "", machines: protections })) ?? [];
  const page = { isIncomplete: look.isIncomplete() };
  if (shown.length === 0)
    return {
      text: `Nothing that your keys list is protected. \`/rackbell protect web-1\` protects it.${incompleteWords(page)}`,
    };
  const rows = shown.slice(0, mostRows).flatMap((one) => {
    const isProposed = proposals.some(({ lifts }) => lifts === one.id);
    const waits = isProposed ? " An admin proposed to lift it: another one decides." : "";
    const lift = { label: "Lift…", command, input: { thing: resourceText(one.card, one.id), lift: true } };
    return rowBlocks(
      `:lock: ${code(one.name, 80)} by <@${slackUserIn(one.by)}> since ${moment(one.at)}.${waits}`,
      one.id,
      [{ label: "Open", command: one.card, target: one.id }, ...(admin && waits === "" ? [lift] : [])],
      context.registry.find,
    );
  });
  const left = shown.length > mostRows ? [small(`and ${shown.length - mostRows} more`)] : [];
  const headline = `${count(shown.length, "protected resource")}`;
  return {
    ...headed(headline, [...rows, ...left, section(means), ...incompleteBlocks(page)]),
  };
}

const means =
  "Each person who decides an act that destroys one of these types its name. No agent and no request for several machines does that. Two admins lift a protection together.";
