import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

/** What ties an operation to its API: each of these is one mistake, and must not compile. */
const mistakes: Record<string, string> = {
  "a customer endpoint that is given the reseller client": `
    defineOperation({ ...common, api: "reseller", scope: "read", run: async ({ client }) => {
      await readBalance(client);
      return { text: "" };
    } });`,
  "a reseller endpoint that is given the customer client": `
    defineOperation({ ...common, api: "customer", scope: "read", run: async ({ client }) => {
      await readBoundCustomer(client);
      return { text: "" };
    } });`,
  "a scope that only the other API has": `
    defineOperation({ ...common, api: "reseller", scope: "billing", run: async () => ({ text: "" }) });`,
  "a target of the other API": `
    defineOperation({ ...common, api: "reseller", scope: "read", target: vps, run: async () => ({ text: "" }) });`,
  "a directory that is asked for a kind of the other API": `
    defineOperation({ ...common, api: "reseller", scope: "read", run: async ({ listing }) => {
      await listing(listedOf(vps));
      return { text: "" };
    } });`,
  "an operation that is begun with the key of the other API": `
    async function begin(operation: ResellerOperation, session: Session<"customer">) {
      await operation.explainMissing(session.client, "1");
    }
    void begin;`,
  "a session that is taken for one of the other API": `
    async function open(access: Access): Promise<Session<"reseller">> {
      return access.session("T:U", "customer");
    }
    void open;`,
  "an operation of the app's own that is run without its context": `
    async function run(operation: Operation) {
      if (operation.api === "app") await operation.run({ context: {}, actor, input: {}, now: 0 });
    }
    void run;`,
};

const correct: Record<string, string> = {
  "a customer operation with its own client, scope and target": `
    defineOperation({ ...common, api: "customer", scope: "billing", target: vps, run: async ({ client, listing }) => {
      await readBalance(client);
      await listing(listedOf(vps));
      return { text: "" };
    } });`,
  "a reseller operation with its own client and scope": `
    defineOperation({ ...common, api: "reseller", scope: "customers", run: async ({ client }) => {
      await readBoundCustomer(client);
      return { text: "" };
    } });`,
};

const head = `
import * as z from "zod";
import type { Access, Session } from "../../../../src/engine/access.ts";
import type { Actor } from "../../../../src/operation/asking.ts";
import { defineOperation } from "../../../../src/operation/define.ts";
import type { Operation, ResellerOperation } from "../../../../src/operation/operation.ts";
import { listedOf, noTarget } from "../../../../src/operation/target.ts";
import { vps } from "../../../../src/operations/vps/vps.ts";
import { readBalance } from "../../../../src/platform/customer/account.ts";
import { readBoundCustomer } from "../../../../src/platform/reseller/customers.ts";

declare const actor: Actor;
const routes: string[] = [];
const common = { command: "x y", summary: "", routes, risk: "read", target: noTarget, input: z.object({}) } as const;
void [actor, common, defineOperation, listedOf, vps, readBalance, readBoundCustomer];
export type Used = Access | Session<"customer"> | Operation | ResellerOperation;
`;

const nameOf = (group: string, at: number) => `${group}-${at}.ts`;

const cache = resolve("node_modules", ".cache", "rackbell");

let faults: string;
let folder: string;

beforeAll(async () => {
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, "wrong-api-"));
  const files: string[] = [];
  const groups = { mistake: mistakes, correct };
  for (const [group, cases] of Object.entries(groups)) {
    for (const [at, code] of Object.values(cases).entries()) {
      const file = nameOf(group, at);
      files.push(file);
      await writeFile(
        join(folder, file),
        `${head}${code}
`,
      );
    }
  }
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../../../tsconfig.json", include: [], files }),
  );
  // All of them in one run of the compiler: it fails, and says where.
  const ran = promisify(execFile)(join("node_modules", ".bin", "tsc"), ["-p", folder]);
  faults = await ran.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(Object.keys(mistakes).map((what, at) => [what, nameOf("mistake", at)]))("%s does not compile", (_, file) => {
  expect(faults).toMatch(new RegExp(`${file}\\(\\d+,\\d+\\): error TS`));
});

test.each(Object.keys(correct).map((what, at) => [what, nameOf("correct", at)]))("%s compiles", (_, file) => {
  expect(faults).toContain("mistake-0.ts");
  expect(faults).not.toContain(file);
});
