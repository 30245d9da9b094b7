import * as z from "#zod";
import { digestJson } from "../process/webauthn/assertion.ts";
import { SealBroken } from "../storage/errors.ts";
import type { RequestsApp } from "./app.ts";
import type { Request } from "./request.ts";

type SealApp = Pick<RequestsApp, "seal">;

/** Seals the input; null if it is empty. */
export function sealInput({ seal }: SealApp, id: string, input: Record<string, unknown>): string | null {
  return Object.keys(input).length === 0 ? null : seal.seal(JSON.stringify(input), id);
}

/** The input; empty if it was empty or erased. */
export function openedInput(
  app: SealApp,
  { input: { sealed }, id }: Pick<Request, "id" | "input">,
): Record<string, unknown> {
  return opened(app, sealed, id);
}

/** A digest by which a value of the input is known after it was erased. */
export function markOfValue(id: string, value: unknown): string {
  return digestJson([id, value ?? null]);
}

/** The salt of the input's digest; empty if there is none. */
export function saltOf(app: SealApp, { proof, id }: Request): Record<string, unknown> {
  return opened(app, proof?.salt ?? null, id);
}

/** The input without its secrets, for asking again. */
export function inputAgain(app: SealApp, { input: { again }, id }: Request): Record<string, unknown> {
  return opened(app, again, id);
}

/** The request's sealed parts under the current key; null if all are under it, or if no key that is left opens one of them. */
export function sealedAnew({ seal }: SealApp, { id, input, proof }: Request): Pick<Request, "input" | "proof"> | null {
  const parts = [input.sealed, input.again, proof?.salt ?? null];
  if (parts.every((sealed) => sealed === null || seal.isCurrent(sealed))) return null;
  const anew = (sealed: string | null) => (sealed === null ? null : seal.seal(seal.open(sealed, id), id));
  try {
    return {
      input: { ...input, sealed: anew(input.sealed), again: anew(input.again) },
      proof: proof && { ...proof, salt: anew(proof.salt) },
    };
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

const Input = z.record(z.string(), z.unknown());

function opened({ seal }: SealApp, sealed: string | null, id: string): Record<string, unknown> {
  return sealed === null ? {} : Input.parse(JSON.parse(seal.open(sealed, id)));
}
