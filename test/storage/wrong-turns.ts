import * as z from "zod";
import { defineKind } from "../../src/storage/kind.ts";

// Only the compiler reads this file: it refuses a directive above a line that compiles.

const fields = z.object({ title: z.string() });
const upcasts = [(older: unknown) => older];
const kind = { name: "note", namespace: "notes" };

// Right: a value as it is, and a record with fields in its second format.
defineKind({ ...kind, schema: z.string() });
defineKind({ ...kind, schema: z.array(fields) });
defineKind({ ...kind, schema: fields, upcasts });
defineKind({ ...kind, schema: z.union([fields, z.object({ text: z.string() })]), upcasts });

// A second format of something without fields, which its mark would destroy.
// @ts-expect-error
defineKind({ ...kind, schema: z.string(), upcasts });
// @ts-expect-error
defineKind({ ...kind, schema: z.array(fields), upcasts });
// @ts-expect-error
defineKind({ ...kind, schema: z.unknown(), upcasts });
// @ts-expect-error
defineKind({ ...kind, schema: fields.nullable(), upcasts });
