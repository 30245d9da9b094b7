import { isRefused } from "../../access/error-text.ts";
import { belowFields, InputError } from "../../operation/errors.ts";
import { fieldsOf, withoutSecrets } from "../../operation/fields.ts";
import { unknownNames } from "../../operation/input.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";
import { characters, type PlainText } from "../../plain-text.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { clip, oneLine } from "../../views/text.ts";

/**
 * The invocation for a form that the member corrects: the typed inputs without secrets, and the fault of each field. Its form names
 * those that it has no field for. Null when nothing in the form can be corrected.
 */
export function correctionOf(operation: Operation, invocation: Invocation, error: unknown): Invocation | null {
  if (invocation.draft !== undefined)
    return isRefused(error) ? draftCorrection({ ...invocation, draft: invocation.draft }, faultsIn(error)) : null;
  // A form has one target.
  if (invocation.several) return null;
  const faults = ownFaults(
    operation,
    fieldFaults(error).map(({ field, message }) => [field, characters(oneLine(message))]),
  );
  const isUnknown = fieldsOf(operation.input).length > 0 && unknownNames(operation.input, invocation.input).length > 0;
  if (Object.keys(faults).length === 0 && !isUnknown) return null;
  const { command, target, originator } = invocation;
  const about = { ...(target === undefined ? {} : { target }), ...(originator === undefined ? {} : { originator }) };
  return { command, input: withoutSecrets(operation.input, invocation.input), faults, ...about };
}

/** The messages under the operation's own names for their fields. */
export function ownFaults(
  { input }: Operation,
  faults: readonly (readonly [string, string])[],
): Record<string, string> {
  const fields = fieldsOf(input);
  const own = faults.flatMap(([field, message]) =>
    fields.flatMap(({ name }) => (sameName(name, field) ? [[name, message] as const] : [])).slice(0, 1),
  );
  return Object.fromEntries(own);
}

/** The multi-page form again, with its draft and its faults. */
export function draftCorrection(
  { command, draft, originator }: { command: string; draft: string; originator?: string | null | undefined },
  faults: Record<string, string>,
): Invocation {
  const taken = originator ? { originator } : {};
  return { ...taken, command, input: {}, draft, ...(Object.keys(faults).length > 0 ? { faults } : {}) };
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
function sameName(ours: string, theirs: string): boolean {
  const bare = (name: string) => name.replaceAll(/[_.-]/g, "").toLowerCase();
  const [mine, its] = [bare(ours), bare(theirs)];
  return mine !== "" && its !== "" && (mine === its || its === `${mine}id` || its.endsWith(mine));
}
