import * as z from "#zod";
import { ifReadable, inData } from "./http/data.ts";

/** The fields of a job that say how far it is. Spec section 2.6. */
export const JobFields = z.object({
  completed: ifReadable(z.boolean()),
  pending: ifReadable(z.boolean()),
  state: ifReadable(z.string()),
  status: ifReadable(z.string()),
});
type JobFields = z.infer<typeof JobFields>;

const failures = ["failed", "failure", "error", "errored", "cancelled", "canceled", "aborted", "rejected", "timeout"];

/**
 * True if its own words say that it failed, even beside `completed`; the spec lists no words. A pending one may still end well, and `error`
 * as a state may be the machine's own (spec section 3.2).
 */
export function hasFailed({ pending, state, status }: JobFields): boolean {
  const words = [status, state === "error" ? null : state];
  return !pending && words.some((word) => failures.includes(word?.toLowerCase() ?? ""));
}

/**
 * How far the answer says that an accepted act is; unless it is done, the caller polls the resource. An answer of another shape is "begun":
 * an act that the platform accepted must not count as unknown. Spec section 2.6.
 */
export const acceptedJob = inData(
  ifReadable(JobFields).transform((job): "begun" | "done" | "failed" => {
    if (job && hasFailed(job)) return "failed";
    return job?.completed ? "done" : "begun";
  }),
);
