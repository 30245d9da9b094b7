import { code } from "../../views/text.ts";
import type { Request } from "./request.ts";

/** What is so where all ended before what was asked was begun: the thing, and the copy as far as there is one. */
export function untouched({ target, copy }: Pick<Request, "target" | "copy">): string {
  const thing = target ? `${code(target.name)} is as it was.` : "Nothing else was done.";
  if (copy?.step === "taken") return `${thing} The copy ${code(copy.name)} is there, and stays until it is deleted.`;
  return thing;
}
