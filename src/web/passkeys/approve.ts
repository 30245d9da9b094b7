import { invokeProven } from "../../commands/invoke.ts";
import { commandPage } from "../../commands/passkey.ts";
import { errorText } from "../../messages/answers/error-text.ts";
import { type LinkFor, type PasskeyLink, readPasskeyLink } from "../../passkeys/links.ts";
import { checkPasskey, spendLink, usablePasskeys } from "../../passkeys/passkeys.ts";
import type { Assertion, Statement } from "../../process/webauthn/assertion.ts";
import { press, pressEvent } from "../../requests/decide.ts";
import { signedStatement } from "../../requests/facets/passkey/gate.ts";
import { type PasskeyPage, plainFor } from "../../requests/facets/passkey/page.ts";
import { stateText } from "../../requests/state-answers.ts";
import { cellOf } from "../../requests/states.ts";
import { readRequest } from "../../requests/store.ts";
import { accessOf } from "../../requests/visibility.ts";
import { backToSlack, type Ending, signOptions, type WebApp } from "./app.ts";
import type { Page } from "./html.ts";

const deadLink: Page = {
  title: "This link is used up, or has expired",
  text: ["Nothing was done now. Go back to Slack, look at the request, and press its button again if it still waits."],
};
const counted = "Your passkey counted";
const uncounted = "Your passkey did not count";
const changed = {
  title: uncounted,
  text: [
    "Something changed since you opened this page, or the passkey belongs to another member than the link.",
    "Nothing was done. Go back to Slack and press the button again.",
  ],
};

/** The statement that a link asks to be signed, as it is now, and how to go on. */
interface Signing {
  page: PasskeyPage;
  statement: Statement;
  /** Goes on as the press does. Resolves with the outcome: a title, and plain words. */
  proceed(assertion: Assertion): Promise<{ title: string; text: string }>;
}

async function readSigning<C>(web: WebApp<C>, link: PasskeyLink): Promise<Signing | { over: Page }> {
  const { requests } = web;
  const { purpose, origin } = link;
  if (purpose.is === "decision") {
    const decision: LinkFor<"decision"> = { ...link, purpose };
    const request = await readRequest(requests, purpose.request);
    const isWhole = request && (await accessOf(requests, origin).at(request)) === "whole";
    if (!request || !isWhole || !cellOf(pressEvent(purpose.manner), request)) {
      const text = await stateText(requests, purpose.request, origin);
      return { over: { title: "There is nothing to decide any more", text: [text, backToSlack] } };
    }
    return {
      ...(await signedStatement(requests, request, decision)),
      async proceed(assertion) {
        // Another press may have decided it since the page was read. Then no audit entry has this passkey.
        const isCounted = await press(requests, purpose.request, origin, { ...purpose.manner, assertion, shown: null });
        return { title: isCounted ? counted : uncounted, text: await stateText(requests, purpose.request, origin) };
      },
    };
  }
  const found = purpose.is === "command" ? await commandPage(web, { ...link, purpose }) : null;
  if (!found) return { over: { ...changed, title: "This cannot be confirmed any more" } };
  const { page, statement, invocation } = found;
  return {
    page,
    statement,
    proceed: async (assertion) => ({
      title: counted,
      text: await plainFor(requests.people, origin.slackUser, await invokeProven(web, invocation, origin, assertion)),
    }),
  };
}

/** The page of a decision. It changes nothing: scanners and previews open links, too. */
export async function approvePage<C>(web: WebApp<C>, nonce: string): Promise<{ status: number; page: Page }> {
  const link = await readPasskeyLink(web, nonce);
  if (!link || link.value.purpose.is === "registration") return { status: 404, page: deadLink };
  const signing = await readSigning(web, link.value).catch((error: unknown) => refusedPage(web, link.value, error));
  if ("over" in signing) return { status: 200, page: signing.over };
  const { page, statement } = signing;
  const options = signOptions(statement, await usablePasskeys(web, statement.member));
  const note = "Your device asks for your fingerprint, face or PIN. That confirms exactly what is on this page.";
  const form = { label: page.press, danger: true, fields: [], kind: "sign" as const, options, note };
  return {
    status: 200,
    page: { title: page.title, text: page.loss === "" ? [] : [page.loss], facts: page.facts, form },
  };
}

/** The first valid assertion uses the link up, and then the press goes on. */
export async function approve<C>(web: WebApp<C>, nonce: string, body: { signed?: unknown }): Promise<Ending> {
  const { log } = web;
  const link = await readPasskeyLink(web, nonce);
  if (!link || link.value.purpose.is === "registration") return deadLink;
  // The same assertion may come twice at once: the first one spends the link, and with it changes the request and the counter.
  const unlessDead = async (page: Page) => ((await readPasskeyLink(web, nonce)) ? page : deadLink);
  try {
    const signing = await readSigning(web, link.value);
    if ("over" in signing) return await unlessDead(signing.over);
    const signed = await checkPasskey(web, body.signed, signing.statement);
    if (!signed) return await unlessDead(changed);
    if (!(await spendLink(web, link, signed))) return deadLink;
    const { title, text } = await signing.proceed(signed.assertion);
    return { title, text: [text, backToSlack] };
  } catch (error) {
    log.warn({ err: error }, "A page was answered with a sentence");
    return (await refusedPage(web, link.value, error)).over;
  }
}

async function refusedPage<C>(
  { requests, clock }: WebApp<C>,
  { slackUser }: PasskeyLink,
  error: unknown,
): Promise<{ over: Page }> {
  const text = await plainFor(requests.people, slackUser, errorText(error, clock.now()).text);
  return { over: { title: "It was not done", text: [text, backToSlack] } };
}
