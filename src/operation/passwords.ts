import { randomInt } from "node:crypto";
import type * as z from "zod";
import { fieldsOf } from "./fields.ts";

// No look-alikes: a member may have to type the password from a phone's screen.
const alphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const length = 20;

function generatePassword(): string {
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
