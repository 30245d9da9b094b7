import * as z from "zod";

/** An id of which the spec does not say whether it is a string or a number; out comes a string. */
export const Id = z.union([z.string().min(1), z.number().transform(String)]);
