import type { Equivalent } from "./report.ts";

/** Changes of the code that change nothing that anybody could notice, each with the reason. */
export const equivalents: readonly Equivalent[] = [];
