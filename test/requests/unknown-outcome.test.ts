import { expect, test } from "vitest";
import { NotYet } from "../../src/operation/errors.ts";
import type { PlatformOperation } from "../../src/operation/operation.ts";
import { actsWith, share } from "../../src/operation/same-act.ts";
import { operations } from "../../src/operations/index.ts";
import type { Request } from "../../src/requests/request.ts";
import { sealInput } from "../../src/requests/sealed.ts";
import { storeFirst } from "../../src/requests/store.ts";
import { holdsUp, refuseWhileUnknown, subjectKeyOf } from "../../src/requests/unknown-outcome.ts";
import { auditNote, bulkOf, openApp, requestOf } from "./requests.ts";

type Input = Record<string, unknown>;
type App = Awaited<ReturnType<typeof openApp>>["app"];

const acts = operations.filter((one): one is PlatformOperation => one.api !== "app" && one.risk !== "read");
const actsOf = (operation: PlatformOperation) => actsWith(operation, {});
const risksOf = ({ risks }: PlatformOperation) => risks.filter((risk) => risk !== "read");

/** Stores an act whose outcome is unknown. Resolves with a look at an input: true if the same act with that input is blocked. */
async function stored(app: App, operation: PlatformOperation, input: Input, target: Request["target"]) {
  const { command } = operation;
  const [risk = "change"] = risksOf(operation);
  const named = [...actsWith(operation, input)];
  const open = requestOf({ id: `unclear ${command}`, state: "unknown", command, acts: named, risk, target });
  await storeFirst(app, { ...open, input: { ...open.input, sealed: sealInput(app, open.id, input) } }, auditNote);
  return (next: Input) =>
    refuseWhileUnknown(app, operation, { ...open, ...asking(app, operation, next) }).then(
      () => false,
      (error: unknown) => error instanceof NotYet,
    );
}

/** The id, the acts and the input of another request. */
function asking(app: App, operation: PlatformOperation, input: Input): Pick<Request, "id" | "acts" | "input"> {
  const sealed = sealInput(app, "next", input);
  return {
    id: "next",
    acts: [...actsWith(operation, input)],
    input: { sealed, again: null, generated: [], marks: {} },
  };
}

/** The two different inputs of each act without a target; null for one that replaces what exists, whatever its input. */
const inputs: Record<string, [Input, Input] | null> = {
  "order new": [orderOf("web-1.example.test"), orderOf("web-2.example.test")],
  "reseller order new": [soldOf("web-1.example.test"), soldOf("web-2.example.test")],
  "image register": [imageOf("one"), imageOf("two")],
  "sshkey add": [keyOf("one"), keyOf("two")],
  "project create": [{ name: "One" }, { name: "Two" }],
  "reseller customer create": [{ id: "one" }, { id: "two" }],
  "reseller webhook address": null,
  "reseller webhook test": null,
};

function orderOf(hostname: string): Input {
  return { product: "p-1", cycle: "monthly", quantity: 1, hostname };
}

function soldOf(hostname: string): Input {
  return { product: "p-1", cycle: "monthly", quantity: 1, hostname };
}

function imageOf(name: string): Input {
  return { name, url: "https://images.example.org/own.qcow2", sha256: "a".repeat(64) };
}

function keyOf(name: string): Input {
  return { name, public: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIP1uPQ2L0mGqkT3tN6xLWmvE2pPq8yM9n4QxJt0rYzAB" };
}

test("an unclear act that makes something new holds up the same alone, and one that replaces something holds up all", async () => {
  const untargeted = acts.filter(({ target }) => target === null);
  expect(untargeted.map(({ command }) => command).sort()).toEqual(Object.keys(inputs).sort());
  const { app } = await openApp();
  for (const operation of untargeted) {
    const [one, two] = inputs[operation.command] ?? [{}, { url: "https://other.example.test" }];
    const isNew = inputs[operation.command] !== null;
    const holds = await stored(app, operation, one, null);
    expect.soft(await holds(one), operation.command).toBe(true);
    expect.soft(await holds(two), operation.command).toBe(!isNew);
    const request = { ...requestOf({ command: operation.command }), target: null };
    const next = (input: Input) => ({ ...request, ...asking(app, operation, input) });
    const keys = [one, one, two].map((input) => subjectKeyOf(app, operation, next(input)));
    expect.soft(new Set(keys).size, operation.command).toBe(isNew ? 2 : 1);
  }
});

test("an unclear bulk request holds up another for the same machines, and none for other machines", async () => {
  const { app } = await openApp();
  const bulk = {
    ...requestOf({ id: "bulk" }),
    target: null,
    state: "unknown",
    bulk: bulkOf(["running", "waiting"], { digest: "one" }),
  } as const;
  await storeFirst(app, bulk, auditNote);
  const [operation] = acts.filter(({ command }) => command === bulk.command);
  const look = (digest: string) =>
    refuseWhileUnknown(app, operation ?? null, {
      ...bulk,
      id: "next",
      input: { ...bulk.input, sealed: null },
      bulk: bulkOf(["running", "waiting"], { digest }),
    });
  await expect(look("one")).rejects.toThrow(NotYet);
  await expect(look("two")).resolves.toBeUndefined();
});

test("an unclear act on a resource holds up the same act by every command, and never a change that is nothing alike", async () => {
  const { app } = await openApp();
  const targeted = acts.filter(({ target }) => target !== null);
  const wrong: string[] = [];
  for (const unclear of targeted) {
    const holds = await stored(app, unclear, {}, { id: `target of ${unclear.command}`, name: "web-1" });
    expect.soft(await holds({ other: true }), unclear.command).toBe(true);
    for (const next of targeted)
      for (const risk of risksOf(unclear))
        for (const nextRisk of risksOf(next)) {
          const isHeldUp = holdsUp({ acts: actsOf(unclear), risk }, { acts: actsOf(next), risk: nextRisk });
          const alike = share(actsOf(unclear), actsOf(next));
          if (isHeldUp !== (alike || heldUpBy[risk].includes(nextRisk)))
            wrong.push(`${unclear.command} (${risk}) and ${next.command} (${nextRisk})`);
        }
  }
  expect(wrong).toEqual([]);
});

/** By the risk of the unclear act: the risks of other acts that wait for it. */
const heldUpBy: Record<Request["risk"], Request["risk"][]> = {
  change: ["change", "destroy"],
  spend: ["spend", "destroy"],
  destroy: ["spend", "destroy"],
};
