import * as z from "#zod";
import { newestEvents } from "../../alerts/event-log.ts";
import { noteSecret, secretUsed, triesWords } from "../../alerts/notices.ts";
import { pollNow } from "../../alerts/polling/polling.ts";
import type { ConnectOutcome } from "../../members/identities/connection.ts";
import {
  monitoringKeyNames,
  type WorkspaceSecret,
  type WorkspaceSecretName,
  workspaceSecretNames,
} from "../../members/identities/workspace.ts";
import { errorText, whoseMonitoringKey } from "../../messages/answers/error-text.ts";
import type { Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal } from "../../operation/errors.ts";
import { keyRejected, PlatformRefused } from "../../platform/http/errors.ts";
import { StorageError } from "../../storage/errors.ts";
import { paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, listing, lowerFirst } from "../../views/text.ts";
import { type AppContext, defineAppOperation, type Note } from "../app-context.ts";
import { confinedWords } from "./alerts-reading.ts";

const readNow = "The present state raises no alert. Changes from now on go where `/rackbell alerts` says.";

/** The words about each of the values: its name, what is so once it is set, and what is wrong with a text that has not its form. */
const parts: Record<WorkspaceSecretName, { title: string; proof: string; malformed: string }> = {
  "signing-secret": {
    title: "The signing secret",
    proof: "the platform took a call that was signed with it. Members with a reseller key can make changes now.",
    malformed: "That is not a signing secret: it has 64 characters, each 0 to 9 or a to f, and is not an API key.",
  },
  "reseller-reader": {
    title: "The reseller monitoring key",
    proof: `it can read, and nothing else. ${readNow}`,
    malformed: "That is not a key of the reseller API: it begins with `rsk_`, then 8 and then 64 characters.",
  },
  "customer-reader": {
    title: "The customer monitoring key",
    proof: `it can read, and nothing else. ${readNow}`,
    malformed: "That is not a key of the customer API: it begins with `fbk_`, then 8 and then 96 characters.",
  },
};

/** An error in words. A signing secret is proven with the admin's own key. */
function wordsOf(error: unknown, name: WorkspaceSecretName, now: number): string {
  if (name === "signing-secret") return errorText(error, now).text;
  return errorText(error, now, whoseMonitoringKey(name === "customer-reader" ? "customer" : "reseller")).text;
}

/** A button that makes the supplier send events here. It replaces the supplier's present address, so the operation asks first. */
export function addressSteps({ webhookUrl }: Pick<AppContext, "webhookUrl">): Step[] {
  if (webhookUrl === null) return [];
  return [
    { label: "Set webhook address…", command: "reseller webhook address", input: { url: webhookUrl, test: true } },
  ];
}

const command = "rackbell connect";
const unchangedNote = "Left empty, it stays as it is.";
const secretText = z.string().max(300).optional();

export const connect = defineAppOperation({
  command,
  summary: "For admins: set the monitoring keys of the workspace, and the signing secret of the reseller account",
  example: "/rackbell connect",
  admins: true,
  routes: ["POST /webhooks/test", "GET /", "GET /customers"],
  verb: "Connect the workspace",
  input: z
    .object({
      secret: secretText.meta({
        title: "Signing secret",
        writeOnly: true,
        description: `64 characters, in the reseller portal under API Settings; everybody's changes are signed with it. ${unchangedNote} Slack does not hide what you paste here; Rackbell keeps it encrypted and shows it to nobody.`,
      }),
      reseller: secretText.meta({
        title: "Reseller monitoring key",
        writeOnly: true,
        description: `A key of the reseller API (rsk_…) with the scope read alone, for polling. ${unchangedNote}`,
      }),
      customer: secretText.meta({
        title: "Customer monitoring key",
        writeOnly: true,
        description: `The same of the customer API (fbk_…), with the scope read alone. ${unchangedNote}`,
      }),
    })
    .refine((input) => Object.values(input).some((value) => value !== undefined), {
      path: ["secret"],
      message: "give the signing secret, or a monitoring key.",
    }),
  async run({ context, actor, note, input: { secret, reseller, customer }, now }) {
    const { connection } = context;
    const given: [WorkspaceSecretName, string | undefined, (text: string) => Promise<ConnectOutcome>][] = [
      ["signing-secret", secret, (text) => connection.setSigningSecret(actor, text)],
      ["reseller-reader", reseller, (text) => connection.setReader("reseller", actor, text)],
      ["customer-reader", customer, (text) => connection.setReader("customer", actor, text)],
    ];
    const lines: string[] = [];
    for (const [name, text, set] of given)
      if (text !== undefined) lines.push(await settingLine(context, note, { name, set: () => set(text), now }));
    return {
      text: lines.join(" "),
      blocks: paragraphs(lines),
      next: [
        ...addressSteps(context),
        { label: "Check now", command: "rackbell connect check" },
        { label: "Alerts", command: "rackbell alerts" },
        { label: "Connect…", command: "rackbell connect" },
      ],
    };
  },
});

/** Sets one of the values and returns its sentence. A refused value must not undo the others. */
async function settingLine(
  context: AppContext,
  note: Note,
  { name, set, now }: { name: WorkspaceSecretName; set: () => Promise<ConnectOutcome>; now: number },
): Promise<string> {
  let outcome: ConnectOutcome;
  try {
    outcome = await set();
  } catch (error) {
    // A store that does not answer may have taken it.
    if (error instanceof StorageError)
      return `:grey_question: It is not known if this was set: ${lowerFirst(parts[name].title)}. Rackbell's store did not answer. Set it again in a minute: that is safe.`;
    return `:warning: ${parts[name].title} is not set. ${troubleWords(error, name) ?? wordsOf(error, name, now)} Nothing of it was kept.`;
  }
  if (outcome.is !== "connected") return `:warning: ${refusedWords(outcome, name)} Nothing of it was kept.`;
  const line = `${parts[name].title} is set${outcome.replaced ? ", in the place of the one before" : ""}: ${parts[name].proof}${limitWords(name, outcome)}`;
  try {
    await note("connected", line);
    if (name === "signing-secret") await noteSecret(context, "replaced");
    else await pollNow(context, name === "customer-reader" ? "customer" : "reseller");
  } catch (error) {
    context.log.error({ err: error, name }, "A secret of the workspace was set, and what follows from that failed");
    return `:white_check_mark: ${line} :warning: But its first use failed: the log has the details. \`/rackbell connect check\` proves it.`;
  }
  return `:white_check_mark: ${line}`;
}

function limitWords(name: WorkspaceSecretName, about: Pick<WorkspaceSecret, "confinedTo">): string {
  const api = (["customer", "reseller"] as const).find((one) => monitoringKeyNames[one] === name);
  return api ? confinedWords(api, about, { named: true }) : "";
}

function refusedWords(outcome: Exclude<ConnectOutcome, { is: "connected" }>, name: WorkspaceSecretName): string {
  if (outcome.is === "malformed") return parts[name].malformed;
  if (outcome.is === "no key")
    return "Rackbell proves the secret with a test event, which needs your own reseller key. You have none: link one with the scope `account` first (`/rackbell link`).";
  if (outcome.is === "a member's")
    return "A member has linked this key. Polling goes on when a member leaves, so it needs a key of its own. Make one with `read` only.";
  const scopes = outcome.scopes.map((scope) => code(scope));
  return `A monitoring key has the scope \`read\` alone. This key has ${listing(scopes) || "no known scope"}. Make one with \`read\` only.`;
}

/** A refusal in words for the admin who connects, if they differ from those for everybody else; otherwise null. */
function troubleWords(error: unknown, name: WorkspaceSecretName): string | null {
  if (!(error instanceof PlatformRefused)) return null;
  if (name !== "signing-secret")
    return keyRejected(error) ? "The platform does not know that key, or it was revoked or has expired." : null;
  if (error.auth === "signature wrong")
    return "The platform does not accept it: copy the present one from the reseller portal, under API Settings. An older one ends as soon as it is rotated.";
  if (error.scope !== undefined)
    return `To prove it, your own reseller key needs the scope ${code(error.scope)}, and it does not have that. Link one that has, or let an admin who has one connect.`;
  return null;
}

export const check = defineAppOperation({
  command: "rackbell connect check",
  summary: "For admins: prove again that what is connected works",
  example: "/rackbell connect check",
  admins: true,
  routes: ["POST /webhooks/test", "GET /", "GET /customers"],
  verb: "Check the connection",
  input: z.object({}),
  async run({ context, actor, now }) {
    const found: Found[] = [];
    for (const name of workspaceSecretNames) found.push(await look(context, actor, name, now));
    const isRotated = found.some(({ wrong }) => wrong);
    const lines = [...found.map(({ line }) => line), await eventsLine(context, isRotated)];
    const headline = "Connection";
    return {
      text: `${headline}: ${lines.join(" ")}`,
      blocks: [section(`*${headline}*`), ...paragraphs(lines.map((line) => `• ${line}`))],
      next: [
        ...addressSteps(context),
        { label: "Connect or replace…", command: "rackbell connect" },
        { label: "Disconnect", command: "rackbell disconnect", style: "danger" },
      ],
    };
  },
});

interface Found {
  line: string;
  /** True if the platform no longer accepts calls signed with it. */
  wrong: boolean;
}

async function look(context: AppContext, actor: Actor, name: WorkspaceSecretName, now: number): Promise<Found> {
  const { connection } = context;
  const about = await connection.about(name);
  if (!about) return { line: `${parts[name].title} is not set.`, wrong: false };
  const label = about.label ? ` ${code(about.label)}` : "";
  const title = `${parts[name].title}${label}, set by <@${about.slackUser}> ${moment(about.at)},`;
  try {
    const found = await connection.check(name, actor.member);
    if (name === "signing-secret" && found === "works") await secretUsed(context);
    // The check reads anew what the key sees.
    const checked = (await connection.about(name)) ?? about;
    return { line: `${words[found](title)}${limitWords(name, checked)}`, wrong: false };
  } catch (error) {
    await secretUsed(context, error);
    const line = `:warning: ${title} could not be proven. ${wordsOf(error, name, now)}`;
    return { line, wrong: error instanceof PlatformRefused && error.auth === "signature wrong" };
  }
}

/** Only received events prove that the supplier reaches this app. */
async function eventsLine(context: AppContext, isRotated: boolean): Promise<string> {
  const [last] = await newestEvents(context, { source: "webhook", limit: 1 });
  const taken = last ? ` The last one that was taken (${code(last.event)}) came ${moment(last.at)}.` : "";
  if (isRotated)
    return `:warning: Rackbell refuses webhooks until an admin sets the present secret. ${triesWords}${taken}`;
  if (last) {
    const word = `Webhooks arrive here, the last one (${code(last.event)}) ${moment(last.at)}.`;
    if (last.aside === null) return `:white_check_mark: ${word}`;
    return `:warning: ${word} Its own time was ${last.aside}, so it raised no alert. Check this machine's clock.`;
  }
  if (context.webhookUrl !== null)
    return "No webhook has arrived here yet. Ask for a test event with the button; it comes within two minutes.";
  return "Webhooks cannot arrive here: `PUBLIC_URL`, the address of this app, is not set.";
}

const words: Record<"works" | "not readable" | "no key", (title: string) => string> = {
  works: (title) => `:white_check_mark: ${title} works.`,
  "not readable": (title) =>
    `:warning: ${title} was encrypted with a key that is gone, so that nobody can open it. Set it again.`,
  "no key": (title) => `:grey_question: ${title} can be proven with a reseller key alone, and you have none linked.`,
};

export const disconnect = defineAppOperation({
  command: "rackbell disconnect",
  summary: "For admins: erase the signing secret and the monitoring keys, all or one",
  example: "/rackbell disconnect",
  admins: true,
  interrupts({ what }) {
    const erased = `Rackbell erases ${listing(namesOf[what].map((name) => lowerFirst(parts[name].title)))}.`;
    const isSecret = namesOf[what].includes("signing-secret");
    return isSecret ? `${erased} Without the signing secret, nobody can change resold services.` : erased;
  },
  verb: "Disconnect the workspace",
  input: z.object({
    what: z
      .enum(["all", "secret", "reseller", "customer"])
      .default("all")
      .meta({ title: "What", description: "The signing secret, one of the monitoring keys, or all of it" }),
  }),
  positional: "what",
  async check({ context, input: { what } }) {
    const set = await Promise.all(namesOf[what].map((name) => context.connection.about(name)));
    if (set.every((each) => each === null)) throw new Refusal("None of it is set, so there is nothing to erase.");
  },
  async run({ context, note, input: { what } }) {
    const erased: WorkspaceSecretName[] = [];
    for (const name of namesOf[what]) if (await context.connection.disconnect(name)) erased.push(name);
    const text = `${listing(erased.map((name) => parts[name].title))} ${erased.length === 1 ? "is" : "are"} erased here.`;
    await note("disconnected", text);
    return {
      text: `${text}${erased.includes("signing-secret") ? portalWords : ""}`,
      next: [{ label: "Connect…", command: "rackbell connect" }],
    };
  },
});

const namesOf: Record<"all" | "secret" | "reseller" | "customer", readonly WorkspaceSecretName[]> = {
  all: workspaceSecretNames,
  secret: ["signing-secret"],
  reseller: ["reseller-reader"],
  customer: ["customer-reader"],
};

const portalWords =
  " The platform still sends webhooks here. Remove the address in the reseller portal, under API Settings. If somebody may have seen the secret, rotate it there.";
