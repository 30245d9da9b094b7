import * as z from "zod";
import { defineKind } from "../storage/kind.ts";

/** The memory of the readers from round to round; each parses its own. */
export const pollingMemory = defineKind({ name: "memory of polling", namespace: "sweep-memory", schema: z.unknown() });
