import * as z from "#zod";
import type { Json, Precondition, Reconciled } from "../../operation/answer.ts";
import type { Effect } from "../../operation/effects.ts";
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

/** The members of a new root password in both APIs. */
export const passwordCommon = {
  effects: passwordEffects,
  replaces: { secret: "root password", maker: "The server" },
  group: "access",
  synonyms: ["passwd"],
  verb: "Reset password of",
} as const;

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

const states = ["in_progress", "completed", "failed"] as const;
export type Installation = (typeof states)[number];

/** The first of these texts that names the state of an installation (spec section 3.3). Neither spec shows which field has it. */
export function installationIn(texts: string[]): Installation | null {
  return texts.find((text): text is Installation => states.some((state) => state === text)) ?? null;
}

/** The installation's state before the act, and if one was seen to run since. */
export const InstallationHandle = z.object({ was: z.string().nullish(), begun: z.boolean().optional() });
export type InstallationHandle = z.infer<typeof InstallationHandle>;

/** False for a state that may be left over from an earlier installation: it proves neither an end nor a loss of data. */
export function isOfThisAct(state: string | null, { was, begun }: InstallationHandle): boolean {
  return begun === true || state !== was;
}

/** Tracks an installation by the machine's own page, which has its state. */
export const installationPace = { every: 15_000, deadline: 3 * 60 * 60_000, handle: InstallationHandle };

const Trace = z.object({ installation: z.string().nullable() });

/** The handle of a poll, from the trace that the review took before the act. */
export function handleAfter(before: Json): { was: string | null } {
  return { was: Trace.safeParse(before).data?.installation ?? null };
}

/** The outcome of an act that begins an installation, from the traces before and now; equal ones prove nothing. */
export function begunIf(before: Json, now: Json, begun: string, same: string): Reconciled {
  const isSame = JSON.stringify(before) === JSON.stringify(now);
  return isSame ? { is: "unsure", text: same } : { is: "done", text: begun, handle: handleAfter(before) };
}
