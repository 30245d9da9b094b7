import { shownKeyLabel } from "../members/identities/link.ts";
import { passkeyLinkMessage } from "../messages/answers/answers.ts";
import { packInvocation, unpackInvocation } from "../messages/answers/buttons.ts";
import type { Origin } from "../messages/origin.ts";
import type { Actor } from "../operation/call-context.ts";
import { describeInput } from "../operation/input.ts";
import type { AppOperation, Invocation, PasskeyAsked } from "../operation/operation.ts";
import type { LinkFor } from "../passkeys/links.ts";
import { askForCommand, passkeyCommand, statementOf } from "../passkeys/passkeys.ts";
import { digestJson, type Statement } from "../process/webauthn/assertion.ts";
import { type PasskeyPage, plainWords } from "../requests/facets/passkey/page.ts";
import { code, unmarked } from "../views/text.ts";
import type { AppWith } from "./app.ts";

interface Asking<C> {
  operation: AppOperation<C>;
  invocation: Invocation;
  actor: Actor;
  origin: Origin;
}

/** True when the invocation needs a passkey: the member then has the link to the page, and nothing was done. */
export async function askedForPasskey<C>(
  app: AppWith<C>,
  { operation, invocation, actor, origin }: Asking<C>,
): Promise<boolean> {
  if (app.passkeys.mode === "off") return false;
  const asked = await operation.passkey?.({ context: app.context, actor, input: invocation.input });
  if (!asked) return false;
  const url = await askForCommand(app, origin, packInvocation(invocation));
  const text = `:key: ${code(`/${operation.command}`)} asks for your passkey. Open the page, read it, and confirm there. Nothing was done yet.`;
  await app.reply.ephemeral(origin, passkeyLinkMessage(text, url, "once, and for five minutes"));
  return true;
}

/** The command of a link with its page, and the statement that a passkey signs on it, as they are now. Null if it takes none any more. */
export async function commandPage<C>(
  app: AppWith<C>,
  link: LinkFor<"command">,
): Promise<{ invocation: Invocation; page: PasskeyPage; statement: Statement } | null> {
  const { registry, context: services, passkeys, identities } = app;
  const { member, slackUser } = link;
  const sealed = passkeyCommand(app, link);
  const invocation = unpackInvocation(sealed.invocation);
  const operation = invocation && registry.find(invocation.command);
  if (!invocation || operation?.api !== "app" || !operation.passkey) return null;
  const keyLabel = shownKeyLabel(await identities.links(member));
  const actor = { member, slackUser, keyLabel, project: null };
  const asked = await operation.passkey({ context: services, actor, input: invocation.input });
  if (!asked) return null;
  const page = await pageOf(app.requests, operation, invocation, asked, slackUser);
  const salted = (value: unknown) => digestJson([sealed.salt, value]);
  const statement = {
    ...statementOf(app, link),
    decision: "run",
    entries: [...asked.entries],
    request: null,
    version: 0,
    requester: member,
    keyLabel,
    command: operation.command,
    target: null,
    agent: null,
    reason: "",
    scheduledFor: null,
    outcome: asked.outcome ?? null,
    passkeys: asked.passkeys ?? [],
    digests: {
      input: salted(invocation.input),
      loss: salted(asked.text),
      price: salted(null),
      preconditions: salted(asked.facts),
      rule: salted([passkeys.mode]),
      page: salted(page),
    },
  };
  return { invocation, page, statement };
}

/** A member whom somebody chose as they typed. Within other text it stays as it was typed: anybody can write it there. */
const isMember = /^<@[A-Z0-9]+>$/;

async function pageOf<C>(
  { people }: Pick<AppWith<C>["requests"], "people">,
  { verb, input, command }: Pick<AppOperation, "verb" | "input" | "command">,
  invocation: Invocation,
  { text, shown = [] }: PasskeyAsked,
  reader: string,
): Promise<PasskeyPage> {
  const typed = describeInput(input, invocation.input).map(({ label, value }) => {
    const text = unmarked(value);
    return { label, value: isMember.test(text) ? text : value };
  });
  const facts = [...typed, ...shown];
  const plain = await plainWords(people, reader, [text, ...facts.map(({ value }) => value)]);
  return {
    title: `${verb}?`,
    loss: plain(text),
    facts: [
      { label: "Command", value: `/${command}` },
      ...facts.map(({ label, value }) => ({ label, value: plain(value) })),
    ],
    press: verb,
  };
}
