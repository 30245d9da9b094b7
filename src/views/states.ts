import { ownValue } from "../process/own-value.ts";

/** States that read as a fault of the app, or as none of a person's, in the platform's own word. */
const words: Record<string, string> = {
  pending_payment: "awaiting payment",
  provisioning_failed: "not built",
  fraud: "withheld",
};

/** A state of the platform in words: "provisioning_failed" is "not built". */
export function stateWords(state: string): string {
  return ownValue(words, state) ?? state.replaceAll("_", " ");
}
