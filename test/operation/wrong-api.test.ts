import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Mistakes about an operation's API: each must fail to compile. */
const mistakes: Record<string, string> = {
  "a customer endpoint that is given the reseller client": `
    defineOperation({ ...common, act: listCustomers, run: async ({ client }) => {
      await readBalance(client);
      return { text: "" };
    } });`,
  "a reseller endpoint that is given the customer client": `
    defineOperation({ ...common, act: readBalance, run: async ({ client }) => {
      await readBoundCustomer(client);
      return { text: "" };
    } });`,
  "a read of the other API": `
    defineOperation({ ...common, act: readBalance, reads: [listCustomers], run: async () => ({ text: "" }) });`,
  "a route that the spec does not have": `
    endpoint("GET /vpses", (call) => call.done({}));`,
  "a value that the route has no place for": `
    endpoint("GET /vps/{id}", (call, id: string) => call.done({ vps: id }));`,
  "a body for a route that only reads": `
    endpoint("GET /vps", (call) => call.done({}, { body: {} }));`,
  "something that reads by a route that writes": `
    defineOperation({ ...common, act: moveVps, run: async () => ({ text: "" }) });`,
  "something that destroys, without the loss that a person decides on": `
    defineOperation({ ...common, risk: "destroy", act: cancelVps, reconcile: unsure(""), run: async () => ({ text: "" }) });`,
  "something that spends, without the price that a person decides on": `
    defineOperation({ ...common, risk: "spend", act: captureVps, reconcile: unsure(""), run: async () => ({ text: "" }) });`,
  "something that changes, with nothing to find out what came of it after a lost answer": `
    defineOperation({ ...common, risk: "change", act: moveVps, run: async () => ({ text: "" }) });`,
  "another name of the act that is no route of its API": `
    defineOperation({ ...common, act: readBalance, aliases: ["GET /customers"], run: async () => ({ text: "" }) });`,
  "a target of the other API": `
    defineOperation({ ...common, act: listCustomers, target: vps, run: async () => ({ text: "" }) });`,
  "a directory that is asked for a kind of the other API": `
    defineOperation({ ...common, act: listCustomers, run: async ({ listing }) => {
      await listing(indexedKindOf(vps));
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
  "a customer operation with its own client, act and target": `
    defineOperation({ ...common, act: readBalance, target: vps, run: async ({ client, listing }) => {
      await readBalance(client);
      await listing(indexedKindOf(vps));
      return { text: "" };
    } });`,
  "a reseller operation with its own client and act": `
    defineOperation({ ...common, act: listCustomers, run: async ({ client }) => {
      await readBoundCustomer(client);
      return { text: "" };
    } });`,
  "something that destroys, with its loss": `
    defineOperation({ ...common, risk: "destroy", act: cancelVps, review: async () => ({ consequence: "It ends." }),
      reconcile: unsure("Look at it."), run: async () => ({ text: "" }) });`,
};

const head = `
import * as z from "zod";
import type { Access, Session } from "../../../../src/access/access.ts";
import { unsure } from "../../../../src/operation/answer.ts";
import type { Actor } from "../../../../src/operation/call-context.ts";
import { defineOperation } from "../../../../src/operation/define.ts";
import type { Operation, ResellerOperation } from "../../../../src/operation/operation.ts";
import { indexedKindOf, noTarget } from "../../../../src/operation/target.ts";
import { vps } from "../../../../src/operations/vps/vps.ts";
import { readBalance } from "../../../../src/platform/customer/account.ts";
import { endpoint } from "../../../../src/platform/customer/endpoint.ts";
import { cancelVps, captureVps, moveVps } from "../../../../src/platform/customer/vps.ts";
import { listCustomers, readBoundCustomer } from "../../../../src/platform/reseller/customers.ts";

declare const actor: Actor;
const common = { command: "x y", summary: "", risk: "read", target: noTarget, input: z.object({}) } as const;
void [actor, common, defineOperation, endpoint, indexedKindOf, vps, readBalance, listCustomers, readBoundCustomer];
void [cancelVps, captureVps, moveVps, unsure];
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
  // Compile all in one run: the compiler starts slowly.
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
