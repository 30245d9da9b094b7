import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { Id } from "../fields.ts";
import { inData } from "../http/data.ts";
import { endpoint } from "./client.ts";

const ProjectName = z.object({ id: z.string(), slug: z.string(), name: PlainText });

/** The owner of a key, its scopes, and the project or team that it is limited to. Spec section 2.2. */
const KeyIdentity = z.object({
  user: z.object({ id: Id, email: z.string(), name: PlainText.nullable() }),
  account: z.object({ id: Id, name: PlainText, owner: z.boolean() }).nullable(),
  key: z.object({
    id: Id,
    label: PlainText.nullable(),
    scopes: z.array(z.string()),
    project: ProjectName.nullable(),
  }),
  project: ProjectName.extend({ bound: z.boolean() }).nullable(),
  scopes: z.array(z.object({ scope: z.string(), description: z.string() })),
});

export const readKeyIdentity = endpoint("GET /", "read", "2.2", inData(KeyIdentity));
