import * as z from "#zod";
import { ifReadable, inData } from "./http/data.ts";
import { hasFailed, JobFields } from "./job-answer.ts";

const Shown = JobFields.extend({ in_progress: ifReadable(z.boolean()) });

/**
 * How far a revert or a restore is by the answer to it: "over", "running", or null if it does not say. Both specs leave its form open: it may
 * be the snapshot's row or the result of a job. Any other form is null, since the platform accepted the act all the same. Spec section 2.6.
 */
export const restoreAnswer = inData(
  ifReadable(Shown.extend({ snapshot: ifReadable(Shown) })).transform((answer): "over" | "running" | null => {
    const rows = [answer, answer?.snapshot];
    if (rows.some((row) => row?.completed && !hasFailed(row))) return "over";
    return rows.some((row) => row?.in_progress || [row?.status, row?.state].includes("reverting")) ? "running" : null;
  }),
);
