import { randomInt } from "node:crypto";
import type * as z from "zod";
import type { Secret } from "./answer.ts";
import { fieldsOf, labelOf } from "./fields.ts";

// No look-alikes: a member may have to type the password from a phone's screen.
const alphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const length = 20;

export function generatePassword(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** Generates the passwords that the member left empty. `generated` lists their input names. */
export function fillPasswords(
  input: z.ZodObject,
  values: Record<string, unknown>,
): { values: Record<string, unknown>; generated: string[] } {
  const generated = fieldsOf(input)
    .filter((field) => field.kind === "password" && (values[field.name] === undefined || values[field.name] === ""))
    .map((field) => field.name);
  const made = Object.fromEntries(generated.map((name) => [name, generatePassword()]));
  return { values: { ...values, ...made }, generated };
}

/** The name of a generated value that lies deeper in the input, as those of a form in pages do. */
export function generatedAt(...path: string[]): string {
  return path.map(encodeURIComponent).join("/");
}

/** The generated values that are in the input, with labels for their requester. */
export function generatedSecrets(
  schema: z.ZodObject,
  input: Record<string, unknown>,
  generated: readonly string[],
): Secret[] {
  return generated.flatMap((name) => {
    const path = name.split("/").map(decodeURIComponent);
    let value: unknown = input;
    for (const part of path) value = typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined;
    const label = path.length > 1 ? (path.at(-1) ?? name) : labelOf(schema, name);
    return typeof value === "string" ? [{ label, value }] : [];
  });
}
