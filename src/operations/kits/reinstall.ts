import * as z from "#zod";
import type { Json, Precondition, Progress, Reconciled, Step } from "../../operation/answer.ts";
import type { Effect } from "../../operation/effects.ts";
import { Refusal } from "../../operation/errors.ts";
import type { ReplacedSecret } from "../../operation/interrupts.ts";
import { characters, type PlainText } from "../../process/plain-text.ts";
import { code, prose } from "../../views/text.ts";

/** The same of a dedicated server, which keeps no password that was sent. */
export const dedicatedReinstallEffects: readonly Effect[] = [
  { aspect: "power", through: ["stopped"], to: ["running"] },
  { aspect: "installation", through: ["in_progress"], to: ["completed"], failing: ["failed"] },
];

/** A reinstall stops the machine, installs, and starts it again with another password or key. */
const reinstallEffects: readonly Effect[] = [
  { aspect: "power", through: ["stopped", "paused"], to: ["running"] },
  { aspect: "installation", through: ["in_progress"], to: ["completed"], failing: ["failed"] },
  { aspect: "credentials", to: ["changed"] },
];

/** A new password leaves the machine running. */
export const passwordEffects: readonly Effect[] = [{ aspect: "credentials", to: ["changed"] }];

/** A new password that may install the system anew, which the platform does not show beforehand. */
export const rebuildingPasswordEffects: readonly Effect[] = [
  ...passwordEffects,
  { aspect: "power", through: ["stopped"], to: [] },
  { aspect: "installation", through: ["in_progress"], to: [], failing: ["failed"] },
];

/** The members of a reinstall in both APIs. */
export const reinstallCommon = {
  risk: "destroy",
  effects: reinstallEffects,
  synonyms: ["rebuild", "wipe", "format"],
} as const;

const rootPassword: ReplacedSecret = { secret: "root password", maker: "The server" };

/** Only a server that provisioning manages is rebuilt with the new password; the platform does not show which ones are (spec section 4.4). */
export const rebuildingPassword: ReplacedSecret = { ...rootPassword, ifRebuilt: true };

/** The members of a new root password in both APIs. */
export const passwordCommon = {
  effects: passwordEffects,
  replaces: rootPassword,
  group: "access",
  synonyms: ["passwd"],
  verb: "Reset password of",
} as const;

export function rebuildLoss(name: string): string {
  return `If provisioning manages ${name}, this will rebuild it with its present system and erase everything on its disks for good. The platform does not show if provisioning does.`;
}

/** No field of either spec says when a machine has taken the password over: its `available` is not explained. */
export function acceptedPassword(whose: string): string {
  return `The platform accepted the new password of ${whose}. It does not show when the password works.`;
}

/** The refusal of a new password for a VPS that does not run. `standing`: its name with its state, "`web-2` is stopped". */
export function passwordNeedsRunning(standing: string, start: Pick<Step, "command" | "target">): Refusal {
  return new Refusal(`${standing}, and a password can be set only while the VPS runs. Nothing was sent.`, [
    { label: "Start", style: "primary", ...start },
  ]);
}

/** A root password, typed in a form or generated and shown once. Spec section 2.8: at least 8 characters. */
export const newPassword = z
  .string()
  .min(8)
  .max(128)
  .meta({ title: "New root password", format: "password", writeOnly: true, description: "At least 8 characters." });

/** The system to be installed. `unlisted`: the words after one that is in no list; of `listed` systems, of which none proves nothing. */
export function systemIs(
  name: PlainText | undefined,
  chosen: string,
  { unlisted, listed }: { unlisted: string; listed: number },
): Precondition {
  const is = listed > 0 ? unlisted : "unknown: the list cannot be read";
  const text = name === undefined ? `${code(chosen)}, which is ${is}` : prose(name, 100);
  return { value: name === undefined ? null : characters(name), label: "New system", text };
}

/** The three words of an installation (spec section 3.3). Neither spec shows which field has them. */
const states = ["in_progress", "completed", "failed"];
/** A text with a digit is a time, an id or a system. */
const anyWord = /^[a-z][a-z _-]*$/i;

/** The state of an installation in these texts: the first that is known, and otherwise their words as they are. Null where they have none. */
export function installationIn(texts: string[]): string | null {
  const other = texts.filter((text) => anyWord.test(text)).join(", ");
  return texts.find((text) => states.includes(text)) ?? (other || null);
}

/**
 * The states before the act, and if an installation was seen to run since. `provisioning` is empty where it is not compared. `downAt`: how
 * long after the act, in milliseconds, its machine was first seen down with a complete installation.
 */
export const InstallationHandle = z.object({
  was: z.string().nullable().default(null),
  provisioning: z.string().nullable().default(""),
  begun: z.boolean().default(false),
  downAt: z.number().exactOptional(),
});
export type InstallationHandle = z.infer<typeof InstallationHandle>;

/** False for a state that may be left over from an earlier installation: it proves neither an end nor a loss of data. */
function isOfThisAct(state: string | null, { was, begun }: Omit<InstallationHandle, "provisioning">): boolean {
  return begun || state !== was;
}

/** Tracks an installation by the machine's own page, which has its state. */
export const installationPace = { every: 15_000, deadline: 3 * 60 * 60_000, handle: InstallationHandle };

/** Milliseconds. A dedicated server's provisioning may begin late, and a provider's VPS may never show an installation. */
export const longestUnshownMs = { dedicated: 30 * 60_000, vps: 2 * 60_000 };

/** A machine as the platform shows it now. `status` is the service's own state. */
interface ShownMachine {
  name: string;
  status: string;
  installation: string | null;
  provisioning?: string | null;
}

/** A state from before counts only after an installation was seen to run, and a word that is not known is never an end. */
export function stageOf(
  { status, installation, provisioning = null }: Omit<ShownMachine, "name">,
  { was, begun, provisioning: before }: InstallationHandle,
): "failed" | "completed" | "running" | "unshown" {
  if (status === "provisioning_failed") return "failed";
  if (status === "installing" || installation === "in_progress") return "running";
  const end = installation === "failed" || installation === "completed" ? installation : null;
  const isNewWord = end === null && installation !== null && installation !== was;
  const runs = isNewWord || (provisioning !== null && before !== "" && provisioning !== before);
  if (end !== null && isOfThisAct(end, { was, begun: begun && !runs })) return end;
  return runs ? "running" : "unshown";
}

/**
 * The progress of an installation, `elapsed` milliseconds after the platform accepted it. The new handle says if one was seen to run. One
 * that the platform shows neither to run nor to have ended is in doubt after `unshownMs`.
 */
export function installationProgress(
  machine: ShownMachine,
  handle: InstallationHandle,
  { elapsed, unshownMs, show, again }: { elapsed: number; unshownMs: number; show: Step; again: Step },
): Progress & { handle: InstallationHandle } {
  const { name, installation, provisioning } = machine;
  const words = provisioning ? ` Its provisioning reads “${prose(provisioning, 60)}”.` : "";
  const stage = stageOf(machine, handle);
  const seen = { ...handle, begun: true, ...(installation === "in_progress" && { was: installation }) };
  if (stage === "failed") {
    const text = `The installation of ${name} failed.${words} The data on its disks is lost. Try again, or choose another system.`;
    return { state: "failed", text, next: [show, again], handle: seen };
  }
  if (stage === "completed") return { state: "done", text: `${name} is reinstalled.`, next: [show], handle: seen };
  if (stage === "running" || elapsed <= unshownMs)
    return { state: "working", text: `Reinstalling ${name}.${words}`, handle: stage === "running" ? seen : handle };
  return { state: "done", endUnknown: true, text: unshownEnd(handle, name), next: [show], handle };
}

/** The sentences after the time in which an installation shows: one that was seen to run is not called absent. */
export function unshownEnd({ begun }: InstallationHandle, name: string): string {
  const unshown = begun
    ? `The platform does not show how the installation of ${name} ended.`
    : `The platform shows no new installation on ${name}.`;
  return `${unshown} Check its system before you try again.`;
}

/** The states that are read right before the act, and again after a lost answer. `system` is the one that is installed. */
const Trace = z.object({
  status: z.string().default(""),
  installation: z.string().nullable(),
  provisioning: z.string().nullable().default(""),
  system: z.string().nullish(),
});

/** The handle of a poll, from the trace that was taken right before the act. */
export function handleAfter(before: Json): InstallationHandle {
  const { installation = null, provisioning = "" } = Trace.safeParse(before).data ?? {};
  return { was: installation, provisioning, begun: false };
}

/**
 * The outcome of an act that begins an installation, from the traces before and now. A state that is no longer shown proves nothing, and
 * neither does any change after one that ran already.
 */
export function begunIf(before: Json, now: z.input<typeof Trace>, begun: string, same: string): Reconciled {
  const [handle, shown, was] = [handleAfter(before), Trace.parse(now), Trace.safeParse(before).data];
  const unproven: Reconciled = { is: "unsure", text: same };
  if (was === undefined || stageOf(was, handle) !== "unshown") return unproven;
  const stage = stageOf(shown, handle);
  const isOtherSystem = Boolean(shown.system) && shown.system !== was.system;
  if (stage === "unshown" && !isOtherSystem) return unproven;
  return { is: "done", text: begun, handle: { ...handle, begun: stage === "running" } };
}
