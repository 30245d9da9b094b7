/** How the whole programme collects what is ordered (spec 1.2). */
export const modes = ["saved_method", "credit", "invoice"] as const;
export type Mode = (typeof modes)[number];
