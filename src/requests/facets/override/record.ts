import * as z from "#zod";
import { PlainText } from "../../../process/plain-text.ts";
import { prose, sentence } from "../../../views/text.ts";

/** The facet of an emergency override: the admin, the reason, and the admin who reviewed it since. */
export const Override = z.object({ slackUser: z.string(), reason: PlainText, reviewedBy: z.string().nullable() });
type Override = z.infer<typeof Override>;

/** Its outcome in the audit log; the admin's passkey signs it. */
export function overrideOutcome(reason: PlainText): string {
  return `Run without approval: ${sentence(prose(reason, 500))}`;
}

/** It was an emergency override, and no other admin has reviewed it. */
export function isToReview({ override }: { override: Pick<Override, "reviewedBy"> | null }): boolean {
  return override !== null && override.reviewedBy === null;
}
