import { code } from "../views/text.ts";
import type { Request } from "./request.ts";

/** Describes the target, and the backup if one exists, after a request ended before its act began. */
export function untouched({ target, copy }: Pick<Request, "target" | "copy">): string {
  const thing = target ? `${code(target.name)} is as it was.` : "Nothing else was done.";
  if (copy?.step === "taken") return `${thing} The copy ${code(copy.name)} is there, and stays until it is deleted.`;
  return thing;
}
