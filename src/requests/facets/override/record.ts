import * as z from "#zod";
import { PersonMarks } from "../../../members/identities/person.ts";
import { PlainText } from "../../../process/plain-text.ts";
import { prose, sentence } from "../../../views/text.ts";

/** The facet of an emergency override: the admin, with the marks of the person then, the reason, and the admin who reviewed it since. */
export const Override = PersonMarks.extend({
  slackUser: z.string(),
  reason: PlainText,
  at: z.number(),
  reviewedBy: z.string().nullable(),
  /** The outcome of its attempt, once it decides the request no more; null while it does. */
  outcome: z.string().nullable(),
});
export type Override = z.infer<typeof Override>;

/** Its outcome in the audit log; the admin's passkey signs it. */
export function overrideOutcome(reason: PlainText): string {
  return `Run without approval: ${sentence(prose(reason, 500))}`;
}

/** An override was used, and no other admin has reviewed it. */
export function isToReview({ overrides }: { overrides: readonly Pick<Override, "reviewedBy">[] }): boolean {
  return overrides.some(({ reviewedBy }) => reviewedBy === null);
}

/**
 * The override that decides the request, or that sent it last with an unknown outcome; null without one. One that the platform refused
 * replaces no approval.
 */
export function decidingOverride({ overrides }: { overrides: readonly Override[] }): Override | null {
  return overrides.find(({ outcome }) => outcome === null) ?? null;
}

/** The overrides when another decision is to come. They stay: each is reviewed. */
export function withoutDecision(overrides: readonly Override[], outcome: string): Override[] {
  return overrides.map((one) => ({ ...one, outcome: one.outcome ?? outcome }));
}
