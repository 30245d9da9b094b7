import { shownKeyLabel } from "../../members/identities/link.ts";
import { errorText } from "../../messages/answers/error-text.ts";
import {
  countTry,
  type LinkFor,
  makingChallenge,
  mostTries,
  noteProof,
  type PasskeyLink,
  readPasskeyLink,
} from "../../passkeys/links.ts";
import {
  checkPasskey,
  isCredentialTaken,
  keyAgeMs,
  mostPasskeys,
  type PasskeyActor,
  readPasskeys,
  registerPasskey,
  registrationStatement,
  usablePasskeys,
} from "../../passkeys/passkeys.ts";
import type { Passkey } from "../../passkeys/record.ts";
import { askRecovery } from "../../passkeys/recovery.ts";
import { checkMade, checkSigned } from "../../process/webauthn/check.ts";
import { plainFor } from "../../requests/facets/passkey/page.ts";
import type { Stored } from "../../storage/record.ts";
import { backToSlack, type Ending, signOptions, type WebApp } from "./app.ts";
import type { Page } from "./html.ts";

const deadLink = {
  title: "This link is used up, or has expired",
  text: ["No passkey was made now. Go back to Slack and type /rackbell passkeys make again."],
};
const full = {
  title: `You have ${mostPasskeys} passkeys, and no more are kept`,
  text: ["No passkey was made. Remove one first, with /rackbell passkeys in Slack.", backToSlack],
};

type Registration = Stored<PasskeyLink> & { value: LinkFor<"registration"> };

/** Proven by an existing passkey: the first one, and one in place of lost ones, are proven by the linked key. */
async function isByPasskey<C>(web: WebApp<C>, { member, purpose }: LinkFor<"registration">): Promise<boolean> {
  return !purpose.lost && (await usablePasskeys(web, member)).length > 0;
}

function secondWords(byPasskey: boolean): string {
  return byPasskey
    ? "Your device makes the new passkey, and then asks for one that you have."
    : "Your device asks twice: to make the passkey, and to sign with it.";
}

/** The page on which a member makes a passkey. It changes nothing. */
export async function registerPage<C>(web: WebApp<C>, nonce: string): Promise<{ status: number; page: Page }> {
  const link = await readRegistration(web, nonce);
  if (!link) return { status: 404, page: deadLink };
  const { value } = link;
  const byPasskey = await isByPasskey(web, value);
  const key = {
    name: "key" as const,
    label: "The key that you linked",
    hint: "The very one that Rackbell has: it begins with fbk_ or rsk_. It is compared, and not kept.",
    secret: true,
  };
  const name = {
    name: "name" as const,
    label: "A name for the passkey",
    hint: "Such as phone, or security key",
    secret: false,
  };
  const text = [
    value.purpose.lost
      ? "The new passkey takes the place of all your others. An admin approves it first, and it takes effect 24 hours later."
      : "A passkey proves that you, and not somebody with your Slack account, approve or confirm.",
    value.purpose.lost ? "" : `${secondWords(byPasskey)} If nothing comes, press the button again.`,
  ];
  return {
    status: 200,
    page: {
      title: value.purpose.lost ? "Replace your lost passkeys" : "Make a passkey",
      text: text.filter((each) => each !== ""),
      form: {
        label: "Make the passkey",
        danger: false,
        kind: "register",
        options: {},
        fields: byPasskey ? [name] : [key, name],
        note: "Your device asks for your fingerprint, face or PIN. These never leave it.",
      },
    },
  };
}

/** The page's script sends the typed key, then the passkey that the device made, then that and the signature for it. */
interface Sent {
  key?: string | undefined;
  made?: unknown;
  name?: string | undefined;
  signed?: unknown;
}

/** One step on the page. */
export async function register<C>(web: WebApp<C>, nonce: string, body: Sent): Promise<Ending> {
  const link = await readRegistration(web, nonce);
  if (!link) return deadLink;
  const { member, purpose } = link.value;
  if (!purpose.lost && (await readPasskeys(web, member)).length >= mostPasskeys) return full;
  try {
    if (body.made !== undefined) return await takeMade(web, link, body);
    return (await isByPasskey(web, link.value))
      ? { make: await makeOptions(web, link.value) }
      : await proveByKey(web, nonce, link.value, body.key ?? "");
  } catch (error) {
    web.log.warn({ err: error }, "A page was answered with a sentence");
    const text = await plainFor(web.requests.people, link.value.slackUser, errorText(error, web.clock.now()).text);
    return { title: "Make a passkey", text: [text], again: true };
  }
}

async function readRegistration<C>(web: WebApp<C>, nonce: string): Promise<Registration | null> {
  const link = await readPasskeyLink(web, nonce);
  const purpose = link?.value.purpose;
  if (!link || purpose?.is !== "registration" || purpose.tries > mostTries) return null;
  return { ...link, value: { ...link.value, purpose } };
}

/**
 * The key itself proves the member. A stolen Slack session has none of it: Rackbell never shows a key. Another key of the same account, or
 * one that was linked within a day, might be the thief's own.
 */
async function proveByKey<C>(
  web: WebApp<C>,
  nonce: string,
  link: LinkFor<"registration">,
  key: string,
): Promise<Ending> {
  const { identities, clock } = web;
  // Counted before it is compared: of many wrong keys at once, no more than five are looked at.
  const tries = await countTry(web, nonce);
  if (tries === null) return deadLink;
  const proven = await identities.proveKey(link.member, key);
  if (proven === "not linked")
    return { title: "Make a passkey", text: ["You have linked no key. Type /rackbell link in Slack first."] };
  if (proven === "another key") {
    if (tries >= mostTries) return deadLink;
    const left = mostTries - tries === 1 ? "One try is left." : `${mostTries - tries} tries are left.`;
    return { title: "Make a passkey", text: [`This is not the key that you linked. ${left}`], again: true };
  }
  if (clock.now() < proven.linkedAt + keyAgeMs)
    return {
      title: "This key is too new",
      text: [
        "It was linked less than 24 hours ago. Somebody with your Slack account could have done that. Try again later.",
      ],
    };
  return (await noteProof(web, nonce)) ? { make: await makeOptions(web, link) } : deadLink;
}

async function makeOptions<C>(web: WebApp<C>, link: LinkFor<"registration">) {
  const { member, slackUser } = link;
  const own = await usablePasskeys(web, member);
  return {
    challenge: makingChallenge(link),
    rp: { id: web.site.rpId, name: "Rackbell" },
    user: { id: Buffer.from(member).toString("base64url"), name: slackUser, displayName: `Rackbell (${slackUser})` },
    exclude: own.map(({ id, transports }) => ({ id, transports })),
  };
}

/** Checks the passkey that the device made. One in place of lost ones then waits; any other takes a signature for its public key. */
async function takeMade<C>(web: WebApp<C>, link: Registration, body: Sent): Promise<Ending> {
  const { site, clock } = web;
  const { member, slackUser, purpose } = link.value;
  const byPasskey = await isByPasskey(web, link.value);
  const isAllowed = byPasskey || purpose.proven;
  const made = isAllowed && (await checkMade(body.made, { challenge: makingChallenge(link.value), site }));
  if (!made) return again("Your device made no passkey that can be used here. Try again.");
  if (await isCredentialTaken(web, made.id))
    return again("Rackbell knows this passkey already, so it was not taken. Have your device make another one.");
  const passkey: Passkey = {
    ...made,
    name: passkeyName(body.name, await readPasskeys(web, member)),
    origin: site.origin,
    rpId: site.rpId,
    addedAt: clock.now(),
    usedAt: null,
    proof: purpose.lost ? "recovery" : byPasskey ? "passkey" : "key",
  };
  const actor = { member, slackUser, keyLabel: shownKeyLabel(await web.identities.links(member)) };
  if (!purpose.lost) return takeSigned(web, link, actor, { passkey, signed: body.signed });
  if (!(await askRecovery(web, link, actor, passkey))) return deadLink;
  const text = ["An admin who has a passkey approves it now. It takes effect 24 hours after that.", backToSlack];
  return { title: "The new passkey waits", text };
}

/** Registers the passkey once it is signed: by another one of the member's, or the first one by itself. Asks for the signature before. */
async function takeSigned<C>(
  web: WebApp<C>,
  link: Registration,
  actor: PasskeyActor,
  { passkey, signed: answer }: { passkey: Passkey; signed: Sent["signed"] },
): Promise<Ending> {
  const byPasskey = passkey.proof === "passkey";
  const statement = registrationStatement(web, link.value, passkey, actor.keyLabel);
  if (answer === undefined)
    return { sign: signOptions(statement, byPasskey ? await usablePasskeys(web, actor.member) : [passkey]) };
  const signed = await (byPasskey
    ? checkPasskey(web, answer, statement)
    : checkSigned(answer, { statement, key: passkey }));
  if (!signed) return again("That was no passkey of yours. Nothing was made.");
  if (!(await registerPasskey(web, link, { ...actor, ...signed }, passkey))) return deadLink;
  return { title: "Your passkey is ready", text: [`It is called ${passkey.name}.`, backToSlack] };
}

function again(text: string): Ending {
  return { title: "Make a passkey", text: [text], again: true };
}

/** The typed name, or one that counts on; of two passkeys with one name the second gets a number. */
function passkeyName(typed: string | undefined, own: readonly Passkey[]): string {
  const allowed = (typed ?? "").replaceAll(/[^\p{L}\p{N} ._-]/gu, "").trim();
  // Trimmed after the cut, which may halve a letter: nobody could type such a name, or one with a blank at its end.
  const wanted =
    allowed
      .slice(0, 30)
      .replace(/[\uD800-\uDBFF]$/, "")
      .trim() || "passkey";
  const taken = own.map(({ name }) => name);
  let name = wanted;
  for (let at = 2; taken.includes(name); at += 1) name = `${wanted} ${at}`;
  return name;
}
