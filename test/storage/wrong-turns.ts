import * as z from "zod";
import { defineKind } from "../../src/storage/kind.ts";

// Only the compiler reads this file: it refuses a directive above a line that compiles.

const fields = z.object({ title: z.string() });
const upcast = (older: unknown) => older;
const kind = { name: "note", namespace: "notes" };

// Right: a value as it is, and the versions of a record with fields, from the first on.
defineKind({ ...kind, schema: z.string() });
defineKind({ ...kind, schema: z.array(fields) });
defineKind({ ...kind, schema: fields, version: 1 });
defineKind({ ...kind, schema: z.union([fields, z.object({ text: z.string() })]), version: 1 });
defineKind({ ...kind, schema: fields, version: 3, upcasts: { 1: null, 2: upcast } });

// A version of something without fields, which the field `v` would destroy.
// @ts-expect-error
defineKind({ ...kind, schema: z.string(), version: 1 });
// @ts-expect-error
defineKind({ ...kind, schema: z.array(fields), version: 1 });
// @ts-expect-error
defineKind({ ...kind, schema: z.unknown(), version: 1 });
// @ts-expect-error
defineKind({ ...kind, schema: fields.nullable(), version: 1 });

// An earlier version that nothing reads.
// @ts-expect-error
defineKind({ ...kind, schema: fields, version: 2 });
// @ts-expect-error
defineKind({ ...kind, schema: fields, version: 3, upcasts: { 2: upcast } });
// @ts-expect-error
defineKind({ ...kind, schema: fields, version: 3, upcasts: { 1: upcast } });
