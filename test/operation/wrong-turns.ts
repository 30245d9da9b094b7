import * as z from "zod";
import { requireSession, type Session, type SessionApp } from "../../src/members/access/access.ts";
import { unsure } from "../../src/operation/answer.ts";
import type { Actor } from "../../src/operation/call-context.ts";
import { defineOperation } from "../../src/operation/define.ts";
import type { Chooser } from "../../src/operation/input.ts";
import type { Operation, ResellerOperation } from "../../src/operation/operation.ts";
import { indexedKindOf, noTarget } from "../../src/operation/target.ts";
import { vps } from "../../src/operations/vps/vps.ts";
import { readBalance } from "../../src/platform/customer/account.ts";
import { payInvoice } from "../../src/platform/customer/billing.ts";
import { type CustomerClient, endpoint } from "../../src/platform/customer/client.ts";
import { deleteSshKey } from "../../src/platform/customer/ssh-keys.ts";
import { cancelVps, captureVps, moveVps, readVps, type Vps } from "../../src/platform/customer/vps.ts";
import { done } from "../../src/platform/http/data.ts";
import { endpoint as resellerEndpoint } from "../../src/platform/reseller/client.ts";
import { listCustomers, readBoundCustomer } from "../../src/platform/reseller/customers.ts";
import { placeOrder } from "../../src/platform/reseller/place-order.ts";
import { plainly } from "../../src/process/plain-text.ts";
import { button, section } from "../../src/views/blocks.ts";
import { code, oneLine, prose } from "../../src/views/text.ts";

// Only the compiler reads this file: it refuses a directive above a line that compiles. The directive stands right above the wrong
// line, so that no other mistake can take its place.

declare const actor: Actor;
const answered = async () => ({ text: "" });
const ended = { state: "done", text: "" } as const;
const common = { summary: "", target: noTarget, input: z.object({}), run: answered };
const reads = { ...common, risk: "read" } as const;
const customer = { ...common, command: "vps wrong", example: "/vps wrong" } as const;
const bill = { ...reads, command: "billing wrong", example: "/billing wrong" } as const;
const sold = { ...reads, command: "reseller customer wrong", example: "/reseller customer wrong" } as const;
const priced = { consequence: "It costs.", price: "unknown" } as const;
const reviewed = { review: async () => ({ consequence: "It ends." }), reconcile: unsure("") };

// Right: each API with its own noun, client, act and target, and each risk with what it needs.
defineOperation({
  ...reads,
  command: "vps right",
  example: "/vps right",
  act: readBalance,
  target: vps,
  run: async ({ client, listing }) => {
    await readBalance(client);
    await listing(indexedKindOf(vps));
    return { text: "" };
  },
});
defineOperation({
  ...reads,
  command: "reseller customer right",
  example: "/reseller customer right",
  act: listCustomers,
  run: async ({ client }) => {
    await readBoundCustomer(client);
    return { text: "" };
  },
});
defineOperation({
  ...customer,
  risk: "change",
  effects: [],
  act: moveVps,
  reconcile: unsure("The platform shows nothing of it."),
});
defineOperation({ ...customer, risk: "destroy", effects: [], act: cancelVps, ...reviewed });
defineOperation({
  ...customer,
  risk: "spend",
  effects: [],
  act: captureVps,
  review: async () => priced,
  reconcile: unsure(""),
});
const change = { ...customer, target: vps, risk: "change", effects: [], act: moveVps, reconcile: unsure("") } as const;
const ofTarget: Chooser<"customer", Vps> = async ({ target }) => [{ value: target.id, label: target.name }];
const ofAccount: Chooser<"customer", unknown> = async () => [];
const choosing = { ...change, input: z.object({ name: z.string() }) };
defineOperation({ ...choosing, choices: { name: ofTarget } });
defineOperation({ ...choosing, bulk: true, sharedChoices: { name: ofAccount } });

// A list for an input that is not there.
// @ts-expect-error
defineOperation({ ...choosing, choices: { nmae: ofTarget } });
// @ts-expect-error
defineOperation({ ...choosing, sharedChoices: { nmae: ofAccount } });

// A name that means another thing for each of several targets.
// @ts-expect-error
defineOperation({ ...choosing, bulk: true, choices: { name: ofTarget } });
// @ts-expect-error
defineOperation({ ...choosing, bulk: true, sharedChoices: { name: ofTarget } });

// Words after the verb that fill an input which is not there, or where they name the target.
const named = {
  ...bill,
  act: readBalance,
  input: z.object({ name: z.string() }),
} as const;
defineOperation({ ...named, positional: "name" });
// @ts-expect-error
defineOperation({ ...named, positional: "nmae" });
// @ts-expect-error
defineOperation({ ...named, target: vps, positional: "name" });

// A noun that is the other API's, or no API's.
// @ts-expect-error
defineOperation({ ...reads, command: "reseller service wrong", example: "/reseller service wrong", act: readBalance });
// @ts-expect-error
defineOperation({ ...reads, command: "vps wrong", example: "/vps wrong", act: listCustomers });
// @ts-expect-error
defineOperation({ ...reads, command: "server wrong", example: "/server wrong", act: readBalance });

// An example that is missing, or that types another command.
// @ts-expect-error
defineOperation({ ...common, risk: "read", command: "billing wrong", act: readBalance });
// @ts-expect-error
defineOperation({ ...reads, command: "billing wrong", example: "/billing wronger", act: readBalance });

// The other API's client.
defineOperation({
  ...sold,
  act: listCustomers,
  run: async ({ client }) => {
    // @ts-expect-error
    await readBalance(client);
    return { text: "" };
  },
});
defineOperation({
  ...bill,
  act: readBalance,
  run: async ({ client }) => {
    // @ts-expect-error
    await readBoundCustomer(client);
    return { text: "" };
  },
});

// The other API's read, target, name index or key, and a route in place of an endpoint.
// @ts-expect-error
defineOperation({ ...bill, act: readBalance, reads: [listCustomers] });
// @ts-expect-error
defineOperation({ ...bill, act: readBalance, reads: ["GET /customers"] });
// @ts-expect-error
defineOperation({ ...sold, act: listCustomers, target: vps });
defineOperation({
  ...sold,
  act: listCustomers,
  run: async ({ listing }) => {
    // @ts-expect-error
    await listing(indexedKindOf(vps));
    return { text: "" };
  },
});
export function bindOther(operation: ResellerOperation, session: Session<"customer">) {
  const context = { actor, may: () => true, listing: async () => ({ entries: [], unnamed: 0, at: 0 }) };
  // @ts-expect-error
  operation.bind({ ...context, client: session.client });
}
export async function openOther(app: SessionApp): Promise<Session<"reseller">> {
  // @ts-expect-error
  return requireSession(app, "T:U", "customer");
}

// A write by an endpoint that the declaration does not name, or outside its run.
defineOperation({
  ...change,
  writes: [captureVps],
  run: async ({ client, target }) => {
    await moveVps(client, target.id, null);
    await captureVps(client, target.id, { name: "right" });
    return { text: "" };
  },
});
defineOperation({
  ...change,
  run: async ({ client, target }) => {
    // @ts-expect-error
    await captureVps(client, target.id, { name: "wrong" });
    return { text: "" };
  },
});
defineOperation({
  ...change,
  before: async ({ client, target }) => {
    // @ts-expect-error
    await moveVps(client, target.id, null);
    return null;
  },
});
defineOperation({
  ...reads,
  command: "vps wrong",
  example: "/vps wrong",
  act: readBalance,
  target: vps,
  run: async ({ client, target }) => {
    // @ts-expect-error
    await moveVps(client, target.id, null);
    return { text: "" };
  },
});
// @ts-expect-error
defineOperation({ ...reads, command: "vps wrong", example: "/vps wrong", act: readBalance, writes: [moveVps] });
// @ts-expect-error
defineOperation({ ...change, target: { ...vps, read: async (client: CustomerClient<string>) => readVps(client, "") } });
// @ts-expect-error
defineOperation({ ...change, reads: [captureVps] });
// @ts-expect-error
defineOperation({ ...change, writes: [readBalance] });

// An answer that leaves open if a job continues, or a handle that the poll cannot read.
const followed = {
  ...choosing,
  follow: { every: 1_000, deadline: 1_000, handle: z.object({ job: z.string() }), poll: async () => ended },
} as const;
defineOperation({ ...followed, run: async () => ({ text: "", handle: { job: "" } }) });
defineOperation({ ...followed, run: async () => ({ text: "", handle: null }) });
// @ts-expect-error
defineOperation({ ...followed, run: async () => ({ text: "" }) });
// @ts-expect-error
defineOperation({ ...followed, run: async () => ({ text: "", handle: { task: "" } }) });

// A charge whose price nobody sees.
// @ts-expect-error
defineOperation({ ...customer, risk: "change", effects: [], act: captureVps, reconcile: unsure("") });
// @ts-expect-error
defineOperation({
  ...customer,
  risk: { usual: "change", of: () => "change" },
  effects: [],
  act: captureVps,
  ...reviewed,
});
// @ts-expect-error
defineOperation({
  ...reads,
  ...reviewed,
  command: "reseller order wrong",
  example: "/reseller order wrong",
  risk: "change",
  effects: [],
  act: placeOrder,
});

// A scope that is not its endpoint's.
// @ts-expect-error
defineOperation({ ...bill, act: readBalance, scope: "services" });

// A route without a method, a scope of the other API, a fact that endpoints do not have, and a charge without its refusals.
endpoint("POST /vps/{id}", "services", "4", done, { charges: true, removes: true, refusals: [] });
// @ts-expect-error
endpoint("/vps", "read", "4", done);
// @ts-expect-error
endpoint("GET /vps", "account", "4", done);
// @ts-expect-error
endpoint("POST /vps", "services", "4", done, { charge: true, removes: true });
// @ts-expect-error
endpoint("POST /vps", "services", "4", done, { charges: true });

// Values and a body that the route has no place for, or none for a place that it has.
const ofAction = endpoint("POST /vps/{id}/{action}", "services", "4", done, { at: { action: ["start", "stop"] } });
export const fill = async (client: CustomerClient<"POST /vps/{id}/{action}">) => {
  await ofAction(client, "v1", "start");
  // @ts-expect-error
  await ofAction(client, "v1", "erase");
  // @ts-expect-error
  await ofAction(client, "v1");
  // @ts-expect-error
  await readVps(client, "v1", "v2");
  // @ts-expect-error
  await payInvoice(client, "i1", "1.00");
};
// @ts-expect-error
endpoint("GET /vps/{id}", "read", "4", done, { at: { vps: "v1" } });
// @ts-expect-error
endpoint("GET /vps/{id}", "read", "4", done, { at: { id: 1 } });
// @ts-expect-error
endpoint("GET /vps/{id}", "read", "4", (call) => call.envelope({ vps: "v1" }, done));
// @ts-expect-error
endpoint("GET /vps", "read", "4", done, { sends: (body: object) => ({ body }) });
// @ts-expect-error
endpoint("GET /vps", "read", "4", (call, values) => call.envelope(values, done, { body: {} }));

// An idempotency key, which only the customer API reads.
const sends = (key: string) => ({ headers: { "Idempotency-Key": key } });
endpoint("POST /orders", "orders", "4", done, { sends });
// @ts-expect-error
resellerEndpoint("POST /orders", "orders", "4", done, { sends });

// A risk without what a person needs to decide, or Rackbell to find out what came of it.
// @ts-expect-error
defineOperation({ ...customer, risk: "read", act: moveVps });
// @ts-expect-error
defineOperation({ ...customer, risk: "change", effects: [], act: moveVps });
// @ts-expect-error
defineOperation({ ...customer, risk: "destroy", effects: [], act: cancelVps, reconcile: unsure("") });
// @ts-expect-error
defineOperation({ ...customer, risk: "destroy", effects: [], act: readBalance, ...reviewed });
// @ts-expect-error
defineOperation({ ...customer, risk: "spend", effects: [], act: captureVps, reconcile: unsure("") });
// @ts-expect-error
defineOperation({ ...customer, risk: "spend", effects: [], act: captureVps, ...reviewed });
// @ts-expect-error
defineOperation({
  ...customer,
  risk: { usual: "change", of: () => "spend" },
  effects: [],
  act: captureVps,
  ...reviewed,
});

// An act under the scope for what destroys, with a risk that asks nobody about the loss, or not always.
// @ts-expect-error
defineOperation({ ...customer, risk: "change", effects: [], act: cancelVps, reconcile: unsure("") });
// @ts-expect-error
defineOperation({ ...customer, risk: "spend", effects: [], act: cancelVps, ...reviewed, review: async () => priced });
// @ts-expect-error
defineOperation({
  ...customer,
  risk: { usual: "destroy", of: () => "change" },
  effects: [],
  act: cancelVps,
  ...reviewed,
});

// An act that can take something away, with a risk that never asks about the loss.
defineOperation({ ...customer, risk: "destroy", effects: [], act: deleteSshKey, ...reviewed });
defineOperation({
  ...customer,
  risk: { usual: "spend", of: () => "destroy" },
  effects: [],
  act: payInvoice,
  ...reviewed,
  review: async () => priced,
});
// @ts-expect-error
defineOperation({ ...customer, risk: "change", effects: [], act: deleteSshKey, reconcile: unsure("") });
// @ts-expect-error
defineOperation({ ...customer, risk: "spend", effects: [], act: payInvoice, ...reviewed, review: async () => priced });

// The app's own operation without its context.
export async function runOwn(operation: Operation) {
  // @ts-expect-error
  if (operation.api === "app") await operation.run({ context: {}, actor, channel: null, input: {}, now: 0 });
}

// Wrong: text that others wrote, in mrkdwn.
declare const machine: Vps;
// @ts-expect-error
section(`${machine.name} is running.`);
// @ts-expect-error
section(machine.name);
// @ts-expect-error
section(plainly`Stop ${machine.name}.`);
// @ts-expect-error
section(`Stop ${oneLine(machine.name)}.`);
// Right: in code marks, as prose, and as it is in plain text.
section(`${code(machine.name)} of ${prose(machine.project.name)}`);
button(plainly`Stop ${machine.name}`, "stop", machine.id);
