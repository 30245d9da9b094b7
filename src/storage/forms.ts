import * as z from "#zod";
import { StorageError } from "./errors.ts";
import { declaredForms, defineKind } from "./kind.ts";
import type { Store } from "./store.ts";

/** The format of each kind, by its namespace, that a version has stored here. The first format is not in it. */
const notedForms = defineKind({
  name: "form of the records",
  namespace: "forms",
  schema: z.record(z.string(), z.number()),
});
const all = "all";

/**
 * Refuses a store in which a newer version keeps records in a form that this one cannot read, before anything else is read or written.
 * Without it the app would run, and each such record would fail on its own. Throws StorageError.
 */
export async function checkForms(store: Pick<Store, "keyv">): Promise<void> {
  const noted = (await store.keyv(notedForms).get(all)) ?? {};
  for (const [namespace, { name, format }] of declaredForms()) {
    const found = noted[namespace] ?? 1;
    if (found <= format) continue;
    throw new StorageError(
      `A newer version of Rackbell has used this store, and keeps each ${name} in a form (${found}) that this one cannot read (it knows up to ${format}). ` +
        "Nothing was changed. Start the newer version, or put back a backup from before the upgrade.",
    );
  }
}

/** Notes the forms in which this version stores records, for the check of an older one. Only a form after the first needs a note. */
export async function noteForms(store: Pick<Store, "keyv">): Promise<void> {
  const noted = (await store.keyv(notedForms).get(all)) ?? {};
  const own = [...declaredForms()].filter(([namespace, { format }]) => format > (noted[namespace] ?? 1));
  if (own.length === 0) return;
  const added = Object.fromEntries(own.map(([namespace, { format }]) => [namespace, format]));
  await store.keyv(notedForms).set(all, { ...noted, ...added });
}
