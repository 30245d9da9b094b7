import * as z from "zod";
import { errorText } from "../../access/errors/error-text.ts";
import type { AppContext } from "../../engine/app-context.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import type { ConnectOutcome } from "../../identities/connection.ts";
import type { WorkspaceSecretName } from "../../identities/workspace.ts";
import type { Actor } from "../../operation/call-context.ts";
import { keyRejected, PlatformRefused } from "../../platform/http/errors.ts";
import { paragraphs } from "../../views/blocks.ts";
import { code, listing } from "../../views/text.ts";
import { addressSteps, noteConnection, requireAdmin, titles, workspaceKeyWords } from "./connecting.ts";

const unchangedNote = "Left empty, it stays as it is.";
const secretText = z.string().max(300).optional();

export const connect = defineAppOperation({
  command: "rackbell connect",
  summary: "For admins: connect the reseller account, with its signing secret and keys to read in the background",
  routes: ["POST /webhooks/test", "GET /"],
  verb: "Connect",
  input: z
    .object({
      secret: secretText.meta({
        title: "Signing secret",
        writeOnly: true,
        description: `64 characters, in the reseller portal under API Settings; everybody's changes are signed with it. ${unchangedNote} Slack does not hide what you paste here; Rackbell keeps it encrypted and shows it to nobody.`,
      }),
      reseller: secretText.meta({
        title: "Reseller reading key",
        writeOnly: true,
        description: `A key of the reseller API (rsk_…) with the scope read alone, for what is looked at in the background. ${unchangedNote}`,
      }),
      customer: secretText.meta({
        title: "Customer reading key",
        writeOnly: true,
        description: `The same of the customer API (fbk_…), with the scope read alone. ${unchangedNote}`,
      }),
    })
    .refine((input) => Object.values(input).some((value) => value !== undefined), {
      path: ["secret"],
      message: "give the signing secret, or a reading key.",
    }),
  async run({ context, actor, input: { secret, reseller, customer }, now }) {
    await requireAdmin(context, actor);
    const { connection } = context;
    const given: [WorkspaceSecretName, string | undefined, (text: string) => Promise<ConnectOutcome>][] = [
      ["signing-secret", secret, (text) => connection.setSigningSecret(actor, text)],
      ["reseller-reader", reseller, (text) => connection.setReader("reseller", actor, text)],
      ["customer-reader", customer, (text) => connection.setReader("customer", actor, text)],
    ];
    const lines: string[] = [];
    for (const [name, text, set] of given)
      if (text !== undefined) lines.push(await settingLine(context, actor, { name, set: () => set(text), now }));
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
  actor: Actor,
  { name, set, now }: { name: WorkspaceSecretName; set: () => Promise<ConnectOutcome>; now: number },
): Promise<string> {
  try {
    const outcome = await set();
    if (outcome.is !== "connected") return `:warning: ${refusedWords(outcome, name)} Nothing of it was kept.`;
    const line = `${titles[name]} is set${outcome.replaced ? ", in the place of the one before" : ""}: ${proofs[name]}`;
    await noteConnection(context, actor, "connected", line);
    if (name === "signing-secret") await context.secretMonitor.replaced();
    else await context.sweep.go(name === "customer-reader" ? "customer" : "reseller");
    return `:white_check_mark: ${line}`;
  } catch (error) {
    return `:warning: ${titles[name]} is not set. ${troubleWords(error, name) ?? errorText(error, now, workspaceKeyWords).text} Nothing of it was kept.`;
  }
}

const readNow =
  "What is there now is learnt without a word; what changes from then on rings where `/rackbell alerts` says.";

const proofs: Record<WorkspaceSecretName, string> = {
  "signing-secret":
    "the platform took a call that was signed with it. Members with a reseller key can make changes now.",
  "reseller-reader": `it can read, and nothing else. ${readNow}`,
  "customer-reader": `it can read, and nothing else. ${readNow}`,
};

const malformed: Record<WorkspaceSecretName, string> = {
  "signing-secret": "That is not a signing secret: it has 64 characters, each 0 to 9 or a to f, and is not an API key.",
  "reseller-reader":
    "That is not a key of the reseller API: it begins with `rsk_`, followed by 8 and then 64 characters.",
  "customer-reader":
    "That is not a key of the customer API: it begins with `fbk_`, followed by 8 and then 96 characters.",
};

function refusedWords(outcome: Exclude<ConnectOutcome, { is: "connected" }>, name: WorkspaceSecretName): string {
  if (outcome.is === "malformed") return malformed[name];
  if (outcome.is === "no key")
    return "To prove the secret, a test event is asked for with it and with your own reseller key, and you have none. Link one with the scope `account` first (`/rackbell link`).";
  if (outcome.is === "a member's")
    return "A member has linked this key, and works with it. What works in the background goes on when a member leaves, and needs a key of its own: make one with `read` only.";
  const scopes = outcome.scopes.map((scope) => code(scope));
  return `What works in the background may have the scope \`read\` alone, and this key has ${listing(scopes) || "none that is known"}. Make one with \`read\` only.`;
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
