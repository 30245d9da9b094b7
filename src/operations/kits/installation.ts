const states = ["in_progress", "completed", "failed"] as const;
export type Installation = (typeof states)[number];

/** The first of these texts that names the state of an installation (spec section 3.3). Neither spec shows which field has it. */
export function installationIn(texts: string[]): Installation | null {
  return texts.find((text): text is Installation => states.some((state) => state === text)) ?? null;
}
