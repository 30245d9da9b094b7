import * as z from "zod";

/** An id that may arrive as a string or a number, since the spec leaves it open; the result is a string. */
export const Id = z.union([z.string().min(1), z.number().transform(String)]);
