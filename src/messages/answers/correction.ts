import { belowFields, InputError } from "../../operation/errors.ts";
import { type Field, fieldsOf, withoutSecrets } from "../../operation/fields.ts";
import { unknownNames } from "../../operation/input.ts";
import { otherRows } from "../../operation/leading.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { characters, type PlainText } from "../../process/plain-text.ts";
import { clip, oneLine } from "../../views/text.ts";

/**
 * The invocation for a form that the member corrects: the typed inputs without secrets, and the fault of each field. Its form names
 * those that it has no field for. Null when nothing in the form can be corrected.
 */
export function correctionOf(operation: Operation, invocation: Invocation, error: unknown): Invocation | null {
  // A form has one target.
  if (invocation.several) return null;
  const fields = fieldsOf(operation.input);
  const faults = byField(operation, faultsIn(error), invocation.input);
  const isUnknown = fields.length > 0 && unknownNames(operation.input, invocation.input).length > 0;
  if (Object.keys(faults).length === 0 && !isUnknown) return null;
  const { command, target, originator, replaces } = invocation;
  const about = {
    ...(target === undefined ? {} : { target }),
    ...(originator === undefined ? {} : { originator }),
    ...(replaces ? { replaces } : {}),
  };
  return { command, input: withoutSecrets(operation.input, invocation.input), faults, ...about };
}

/** Faults under the names that the form has for their fields. Others are left out. */
export function byField(
  { input: schema, cart }: Pick<Operation, "input" | "cart">,
  faults: Record<string, string>,
  input: Record<string, unknown>,
): Record<string, string> {
  const fields = fieldsOf(schema);
  const others = cart ? otherRows(cart, input).length : 0;
  const named = Object.entries(faults).map(([field, message]) => {
    // "items.1.image": the form shows the last of several things, and names the others in one field.
    const row = Number(field.split(/[.[\]]+/)[1]);
    if (cart && row < others) return [cart.rows, `Product ${row + 1}: ${message}`];
    return [placeOf(fields, field)?.name, message];
  });
  return Object.fromEntries(named.filter(([name]) => name !== undefined));
}

/** The field that the platform means: the one of the longest name, since "ssh_key_ids" ends in no other. */
function placeOf(fields: readonly Field[], theirs: string): Field | undefined {
  return (
    fields.find((field) => field.named.some((name) => isNamed({ ...field, name, named: [] }, theirs))) ??
    fields.find((field) => isNamed(field, theirs))
  );
}

/** The error's messages by field, under the error's own names for the fields. */
export function faultsIn(error: unknown): Record<string, string> {
  const faults = fieldFaults(error).map(
    ({ field, message }) => [field, characters(clip(oneLine(message), 200))] as const,
  );
  if (faults.length > 0) return Object.fromEntries(faults.slice(0, 5));
  const isPlace = error instanceof PlatformRefused && /^LOCATION_/.test(error.code ?? "");
  return isPlace ? { location: characters(clip(oneLine(error.reason), 200)) } : {};
}

function fieldFaults(error: unknown): readonly { field: string; message: PlainText }[] {
  if (error instanceof InputError) return belowFields(error);
  return error instanceof PlatformRefused ? error.details : [];
}

// The platform's words for a field differ from ours in their writing at most: sourceUrl, source_url, url.
function isNamed({ name, named }: Field, theirs: string): boolean {
  const bare = (words: string) => words.replaceAll(/[_.-]/g, "").toLowerCase();
  const its = bare(theirs);
  return [name, ...named]
    .map(bare)
    .some((ours) => ours !== "" && its !== "" && (its === `${ours}id` || its.endsWith(ours)));
}
