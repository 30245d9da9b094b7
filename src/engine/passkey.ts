import { passkeyLinkMessage } from "../notifications/answers/answers.ts";
import { packInvocation, unpackInvocation } from "../notifications/answers/buttons.ts";
import type { Origin } from "../notifications/origin.ts";
import type { Actor } from "../operation/call-context.ts";
import { describeInput } from "../operation/input.ts";
import type { AppOperation, Invocation, PasskeyAsked } from "../operation/operation.ts";
import type { LinkFor } from "../passkeys/links.ts";
import { askForCommand, commandOf } from "../passkeys/passkeys.ts";
import type { PasskeyPage } from "../requests/facets/passkey/page.ts";
import { code, unmarked } from "../views/text.ts";
import { digestOf, type SignedFacts } from "../webauthn/assertion.ts";
import type { AppWith } from "./app.ts";

interface Asking<C> {
  operation: AppOperation<C>;
  invocation: Invocation;
  actor: Actor;
  origin: Origin;
}

/** True when the invocation takes a passkey: the member then has the link to the page, and nothing was done. */
export async function askedForPasskey<C>(
  app: AppWith<C>,
  { operation, invocation, actor, origin }: Asking<C>,
): Promise<boolean> {
  if (app.passkeys.mode === "off") return false;
  const asked = await operation.passkey?.({ context: app.context, actor, input: invocation.input });
  if (!asked) return false;
  const url = await askForCommand(app, origin, packInvocation(invocation));
  const text = `:key: ${code(`/${operation.command}`)} takes your passkey. Open the page, read it, and confirm there. Nothing was done yet.`;
  await app.reply.ephemeral(origin, passkeyLinkMessage(text, url, "once, and for five minutes"));
  return true;
}

/** The command of a link with its page, and the facts that a passkey signs on it, as they are now. Null if it takes none any more. */
export async function commandPage<C>(
  app: AppWith<C>,
  link: LinkFor<"command">,
): Promise<{ invocation: Invocation; page: PasskeyPage; facts: SignedFacts } | null> {
  const { registry, context: services, passkeys } = app;
  const { member, slackUser, random } = link;
  const sealed = commandOf(app, link);
  const invocation = unpackInvocation(sealed.invocation);
  const operation = invocation && registry.find(invocation.command);
  if (!invocation || operation?.api !== "app" || !operation.passkey) return null;
  const actor = { member, slackUser, keyLabel: "", project: null };
  const asked = await operation.passkey({ context: services, actor, input: invocation.input });
  if (!asked) return null;
  const page = pageOf(operation, invocation, asked);
  const facts = {
    random,
    member,
    version: 0,
    workspace: passkeys.workspace,
    subject: operation.command,
    decision: "run",
    input: digestOf([sealed.salt, invocation.input]),
    preconditions: digestOf(asked.facts),
    rule: digestOf([passkeys.mode]),
    text: digestOf(page),
  };
  return { invocation, page, facts };
}

function pageOf(
  { verb, input, command }: Pick<AppOperation, "verb" | "input" | "command">,
  invocation: Invocation,
  { text }: PasskeyAsked,
): PasskeyPage {
  const facts = describeInput(input, invocation.input).map(({ label, value }) => ({ label, value: unmarked(value) }));
  return {
    title: `${verb}?`,
    loss: unmarked(text),
    facts: [{ label: "Command", value: `/${command}` }, ...facts],
    press: verb,
  };
}
