import * as z from "zod";
import { defineKind } from "../storage/kind.ts";

/** What the readers remember from round to round; each parses its own. */
export const pollingMemory = defineKind({ name: "memory of polling", namespace: "sweep-memory", schema: z.unknown() });
