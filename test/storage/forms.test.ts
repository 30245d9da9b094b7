import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { startApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import { systemClock } from "../../src/process/clock.ts";
import { checkForms, noteForms } from "../../src/storage/forms.ts";
import { defineKind } from "../../src/storage/kind.ts";
import { openStore } from "../../src/storage/open.ts";
import { ownFolder } from "../own-folder.ts";
import { openPractice, startMain } from "../stories/main-process.ts";
import { raw } from "./raw.ts";

const log = pino({ level: "silent" });

/** A version of the app that stores this kind in so many formats. The last declaration counts. */
function versionWith(formats: number): void {
  const upcasts = Array.from({ length: formats - 1 }, () => (older: unknown) => older);
  defineKind({ name: "test record", namespace: "forms-test", schema: z.object({}), upcasts });
}

test("one version back is refused with a sentence once the newer one has stored another form, and not before", async () => {
  const store = await openStore({ url: `sqlite:${join(ownFolder(), "a.db")}`, clock: systemClock, log });
  onTestFinished(() => store.close());
  onTestFinished(() => versionWith(1));
  versionWith(1);
  await noteForms(store);
  expect(await store.keyv(raw("forms")).get("all")).toBeUndefined();
  versionWith(3);
  await checkForms(store);
  versionWith(1);
  await checkForms(store);
  versionWith(3);
  await noteForms(store);
  for (const older of [1, 2]) {
    versionWith(older);
    await expect(checkForms(store)).rejects.toThrow(
      `A newer version of Rackbell has used this store, and keeps each test record in a form (3) that this one cannot read (it knows up to ${older}). Nothing was changed.`,
    );
    // Even so, an older version notes nothing lower.
    await noteForms(store);
    expect(await store.keyv(raw("forms")).get("all")).toEqual({ "forms-test": 3 });
  }
  versionWith(4);
  await checkForms(store);
  await noteForms(store);
  await store.keyv(raw("forms")).set("all", { "forms-test": 4, "kind of a later version": 7 });
  versionWith(5);
  await noteForms(store);
  expect(await store.keyv(raw("forms")).get("all")).toEqual({ "forms-test": 5, "kind of a later version": 7 });
});

test("the start notes the forms in which it stores records", async () => {
  const practice = await openPractice();
  onTestFinished(() => versionWith(1));
  versionWith(2);
  const app = await startApp({ config: readConfig(practice.environment), log, clock: systemClock });
  await app.stop();
  const store = await openStore({ url: practice.environment.STORE_URL ?? "", clock: systemClock, log });
  onTestFinished(() => store.close());
  expect(await store.keyv(raw("forms")).get("all")).toEqual({ "forms-test": 2 });
});

test("the app does not start on a store of a newer version, and changes nothing in it", async () => {
  const practice = await openPractice();
  const url = practice.environment.STORE_URL ?? "";
  const before = await openStore({ url, clock: systemClock, log });
  await before.keyv(raw("forms")).set("all", { requests: 2, "kind of a later version": 7 });
  await before.close();
  const main = await startMain(practice, { becomesReady: false });
  expect(await main.errors).toBe(
    "A newer version of Rackbell has used this store, and keeps each request in a form (2) that this one cannot read (it knows up to 1). " +
      "Nothing was changed. Start the newer version, or put back a backup from before the upgrade.\n",
  );
  const after = await openStore({ url, clock: systemClock, log });
  onTestFinished(() => after.close());
  expect(await after.keyv(raw("seal")).get("probe")).toBeUndefined();
});

/** Each kind that the app has loaded at its start, in a process of its own: here other tests declare kinds of the same names. */
const listing = `
  await import("./src/app/app.ts");
  const { toJSONSchema } = await import("./src/process/zod.ts");
  const { declaredForms } = await import("./src/storage/kind.ts");
  const forms = [...declaredForms()].map(([namespace, { format, schema }]) =>
    [namespace, { format, schema: toJSONSchema(schema, { io: "input", unrepresentable: "any" }) }]);
  console.log(JSON.stringify(forms));
`;
const Forms = z.array(z.tuple([z.string(), z.object({ format: z.number(), schema: z.unknown() })]));

test("a record's stored form changes with an upcast alone, and the start has loaded each kind", async () => {
  const args = ["--input-type=module", "--eval", listing];
  const forms = Forms.parse(JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })));
  const declared = globSync("src/**/*.ts", { exclude: ["src/sandbox/**"] })
    .flatMap((file) => readFileSync(file, "utf8").match(/defineKind\((?:\{[^}]*?)namespace: "[^"]+"/g) ?? [])
    .map((text) => /"([^"]+)"$/.exec(text)?.[1]);
  expect(declared.length).toBeGreaterThan(50);
  expect(declared.filter((name) => !forms.some(([namespace]) => namespace === name))).toEqual([]);
  const lines = forms
    .map(([namespace, { format, schema }]) => {
      const digest = createHash("sha256").update(JSON.stringify(schema)).digest("hex").slice(0, 16);
      return `${namespace} ${format} ${digest}\n`;
    })
    .sort();
  // A record of version 1.0 must be readable for ever. Where a schema changed: add an upcast, then run vitest with -u.
  await expect(lines.join("")).toMatchFileSnapshot("stored-forms.txt");
});
