import * as z from "zod";

/** A member who decided the request with a passkey, and that passkey's id. */
export const ProvenBy = z.object({ member: z.string(), credential: z.string() });
