import * as z from "#zod";
import facts from "../../package.json" with { type: "json" };

/** The version from package.json. */
export const { version } = z.object({ version: z.string() }).parse(facts);
