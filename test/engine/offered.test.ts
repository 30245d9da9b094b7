import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { expect, test } from "vitest";
import { unpackInvocation } from "../../src/notifications/answers/buttons.ts";
import type { Answer } from "../../src/operation/answer.ts";
import { InputError, Refusal } from "../../src/operation/errors.ts";
import { type Field, fieldsOf } from "../../src/operation/fields.ts";
import type { BoundCalls, Invocation, PlatformOperation } from "../../src/operation/operation.ts";
import { createRegistry } from "../../src/operation/registry.ts";
import type { Entry, IndexedKind } from "../../src/operation/target.ts";
import { operations } from "../../src/operations/index.ts";
import { type ApiName, PlatformRefused } from "../../src/platform/http/errors.ts";
import { createPlatform } from "../../src/platform/platform.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { createPracticePlatform, type PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import { needsForm } from "../../src/slack/dispatch.ts";

// Every answer that reads alone is drawn for every state of the estate, and every button in it is pressed: against the real practice
// platform, with the real endpoints, each press that writes on an estate of its own.

const registry = createRegistry(operations);
const onPlatform = operations.flatMap((operation) => (operation.api === "app" ? [] : [operation]));

/** All answers that need nothing but their target. */
const answers = onPlatform
  .filter(({ risk }) => risk === "read")
  .filter(
    (operation) =>
      !needsForm(operation, { command: operation.command, input: {}, ...(operation.target ? { target: "any" } : {}) }),
  );

/** States that no service of the seeded estate is in. */
const states: Record<string, (platform: PracticePlatform) => void> = {
  "as it is seeded": () => {},
  "with an image being captured": ({ changeImage }) => changeImage("golden-web", { status: "capturing" }),
  "with systems being installed": ({ change }) => {
    change("web-1", { os_installation_status: "in_progress", instance: { state: "stopped" } });
    change("metal-1", { os_installation: "in_progress", power_state: "off" });
  },
  "with switched-off capabilities": ({ change }) => {
    change("web-1", { capabilities: { actions: [] } });
    change("web-2", { capabilities: { snapshots: false } });
    change("mail", { capabilities: { password_reset: false } });
    change("cache-1", { capabilities: { images: false } });
    change("db-1", { capabilities: { reinstall: false } });
  },
};

/** Refusals that nothing told when the answer was drawn: their words, and the answers and commands that they are about. */
const untold: { why: RegExp; of: RegExp }[] = [
  // An outside provider alone knows its verbs.
  { why: /ACTION_NOT_ALLOWED|ACTION_UNKNOWN|has no action|does not let customers/, of: /./ },
  // The contract shows no field of a game module, which knows what runs, and which backup is locked.
  { why: /game\.|refused with 40[49]/, of: /→ (reseller )?game / },
  // The card of a service reads no documents.
  { why: /is open already/, of: /^service show → service renew/ },
  // The list of systems is another read than the card.
  { why: /nothing to choose for image/, of: /^vps show → vps reinstall/ },
  // A management controller that fails is known by its failure alone.
  { why: /PROVIDER_ERROR/, of: /^dedicated show → dedicated / },
  // The reseller API does not tell which work goes on on a disk.
  {
    why: /refused with 409/,
    of: /^reseller service (show|templates|backups) → reseller service (start|reinstall|password|backup)$/,
  },
];

interface Estate {
  platform: PracticePlatform;
  bind(operation: PlatformOperation, may?: (command: string) => boolean): BoundCalls;
  targets(operation: PlatformOperation): Promise<(Entry | null)[]>;
  close(): Promise<void>;
}

async function openEstate(state: keyof typeof states): Promise<Estate> {
  const clock = createSandboxClock();
  const platform = await createPracticePlatform({ clock, hourlyLimit: 1_000_000 });
  states[state]?.(platform);
  const real = createPlatform({ url: platform.url, clock, log: pino({ level: "silent" }) });
  const { keys, reseller } = platform;
  const customer = real.customer({ key: keys.ana.key, patient: false });
  const partner = real.reseller({
    key: reseller.keys.ana.key,
    signingSecret: reseller.signingSecret(),
    patient: false,
  });
  const actor = { member: "T:U", slackUser: "U", keyLabel: "ana", project: null };
  return {
    platform,
    bind(operation, may = () => true) {
      const shared = { actor, may };
      if (operation.api === "customer")
        return operation.bind({ ...shared, client: customer, listing: async (kind) => listed(all(kind, customer)) });
      return operation.bind({ ...shared, client: partner, listing: async (kind) => listed(all(kind, partner)) });
    },
    async close() {
      await real.close();
      await platform.close();
    },
    async targets(operation) {
      if (operation.target === null) return [null];
      return operation.api === "customer" ? all(operation.target, customer) : all(operation.target, partner);
    },
  };
}

async function listed(entries: Promise<Entry[]>) {
  return { entries: await entries, at: 0 };
}

async function all<A extends ApiName>(
  kind: IndexedKind<A>,
  client: Parameters<IndexedKind<A>["entries"]>[0],
): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { rows, pagination } = await kind.entries(client, { page, limit: kind.pageSize });
    found.push(...rows);
    pages = pagination.pages;
  }
  return found;
}

/** A state of a target as the platform itself knows it, without what tells two targets in one state apart. */
function stateOf(platform: PracticePlatform, target: Entry | null): string {
  if (target === null) return "";
  try {
    const service = platform.find(target.id);
    const {
      id,
      name,
      hostname,
      product,
      billing,
      created_at,
      order_id,
      project_id,
      location,
      specs,
      failure,
      ...rest
    } = service;
    const { ip_addresses, templates, ordered_os, hardware, ...state } = {
      ip_addresses: 0,
      templates: 0,
      ordered_os: 0,
      hardware: {},
      ...rest,
    };
    const machine = "instance" in state ? { ...state, instance: state.instance?.state } : state;
    const copies =
      "snapshots" in machine
        ? { ...machine, snapshots: machine.snapshots.map(({ status, missing }) => [status, missing]) }
        : machine;
    return JSON.stringify([copies, hardware === null, billing.cycle]);
  } catch {
    return JSON.stringify([target.state, target.states, target.trouble, target.detail.replaceAll(/\d+/g, "")]);
  }
}

interface Drawn {
  operation: PlatformOperation;
  target: Entry | null;
  answer: Answer;
}

/** Null where the platform refuses the read itself. */
async function draw(
  { bind }: Estate,
  operation: PlatformOperation,
  target: Entry | null,
  may?: (command: string) => boolean,
): Promise<Drawn | null> {
  const accepted = operation.accept({});
  if ("error" in accepted) throw accepted.error;
  try {
    const act = await bind(operation, may).begin({
      id: randomUUID(),
      targetId: target?.id ?? null,
      input: accepted.input,
      now: Date.now(),
    });
    return { operation, target, answer: await act.run() };
  } catch (error) {
    wordsOf(error);
    return null;
  }
}

/** The answers of an estate, one for each state of a target. */
async function* drawn(estate: Estate, known: Set<string>, may?: (command: string) => boolean): AsyncGenerator<Drawn> {
  for (const operation of answers)
    for (const target of await estate.targets(operation)) {
      const key = `${operation.command} ${stateOf(estate.platform, target)}`;
      if (known.has(key)) continue;
      known.add(key);
      const one = await draw(estate, operation, target, may);
      if (one) yield one;
    }
}

/** The buttons in the rows of an answer. */
function rowsIn({ blocks = [] }: Answer): Invocation[] {
  const found: Invocation[] = [];
  JSON.stringify(blocks, (_, value) => {
    const invocation =
      value?.type === "button" && typeof value.value === "string" ? unpackInvocation(value.value) : null;
    if (invocation) found.push(invocation);
    return value;
  });
  return found;
}

function offeredIn(answer: Answer): Invocation[] {
  const steps = (answer.next ?? []).map(({ command, target, input = {}, form }) => ({
    ...{ command, input },
    ...(target === undefined ? {} : { target }),
    ...(form ? { form } : {}),
  }));
  return [...steps, ...rowsIn(answer)];
}

/** The words of a refusal. Throws any other error. */
function wordsOf(error: unknown): string {
  if (error instanceof Refusal || error instanceof InputError || error instanceof PlatformRefused) return error.message;
  throw error;
}

const password = "correct-Horse-7battery";

/** A value as a member would fill it in; undefined for a field that may stay empty. "nothing" if its list is empty. */
async function filledIn(
  bound: BoundCalls,
  operation: PlatformOperation,
  field: Field,
  target: string,
): Promise<unknown> {
  if (/^password$/.test(field.name)) return password;
  if (!field.required) return undefined;
  if (operation.chosen.includes(field.name)) {
    const [choice] = await bound.choices(field.name, target);
    if (!choice && !operation.typed?.includes(field.name)) throw new Refusal(`nothing to choose for ${field.name}`);
    return choice && (field.kind === "several" ? [choice.value] : choice.value);
  }
  if (field.kind === "select") return field.options[0];
  return field.name === "name" ? "offered-1" : undefined;
}

/** Presses a button as a member does who fills in its form and confirms. Resolves with the refusal, or null. */
async function press({ bind }: Estate, invocation: Invocation): Promise<string | null> {
  const { command, target = null, form } = invocation;
  const operation = registry.find(command);
  if (!operation) return "there is no such operation";
  if (operation.api === "app" || operation.wizard) return null;
  const bound = bind(operation);
  try {
    const input = { ...invocation.input };
    if (target !== null) {
      await bound.usable(target);
      for (const field of fieldsOf(operation.input))
        input[field.name] ??= await filledIn(bound, operation, field, target);
    }
    const accepted = operation.accept(input);
    if ("error" in accepted || form) return null;
    const act = await bound.begin({ id: randomUUID(), targetId: target, input: accepted.input, now: Date.now() });
    await act.usable();
    const asked = act.risk === "spend" || act.risk === "destroy";
    const { text } = await act.run(asked ? (await act.review()).before : await act.before());
    return / already\b/.test(text) ? text : null;
  } catch (error) {
    return wordsOf(error);
  }
}

function isTold(drawnBy: string, pressed: string, words: string): boolean {
  return !untold.some(({ why, of }) => why.test(words) && of.test(`${drawnBy} → ${pressed}`));
}

/** The answers that are the same in the seeded estate: their buttons are pressed there. */
async function alsoSeeded(state: string): Promise<Set<string>> {
  const known = new Set<string>();
  if (state === "as it is seeded") return known;
  const seeded = await openEstate("as it is seeded");
  for (const operation of answers)
    for (const target of await seeded.targets(operation))
      if (target) known.add(`${operation.command} ${stateOf(seeded.platform, target)}`);
  await seeded.close();
  return known;
}

test.each(Object.keys(states))(
  "no button of any answer about an estate %s is refused by what was known when it was drawn",
  async (state) => {
    const estate = await openEstate(state);
    const refused: string[] = [];
    const pressed = new Set<string>();
    for await (const { operation, target, answer } of drawn(estate, await alsoSeeded(state)))
      for (const offered of offeredIn(answer)) {
        const reads = registry.find(offered.command)?.risk === "read";
        const button = `${reads ? "" : operation.command} ${JSON.stringify(offered)}`;
        if (pressed.has(button)) continue;
        pressed.add(button);
        const pressedAt = reads ? estate : await openEstate(state);
        const words = await press(pressedAt, offered);
        if (!reads) await pressedAt.close();
        if (words !== null && isTold(operation.command, offered.command, words))
          refused.push(`${operation.command} ${target?.name} (${target?.state}): ${offered.command}: ${words}`);
      }
    await estate.close();
    expect(pressed.size).toBeGreaterThan(0);
    expect(refused).toEqual([]);
  },
  120_000,
);

test("a key that only reads is offered no act in any row of any answer", async () => {
  const estate = await openEstate("as it is seeded");
  const reads = (command: string) => {
    const operation = registry.find(command);
    return operation?.api === "app" || operation?.scope === "read";
  };
  const offered: string[] = [];
  for await (const { operation, answer } of drawn(estate, new Set(), reads))
    for (const { command } of rowsIn(answer)) if (!reads(command)) offered.push(`${operation.command}: ${command}`);
  await estate.close();
  expect(offered).toEqual([]);
});

test("no answer shows the memory or the disk of a plan without its unit", async () => {
  const estate = await openEstate("as it is seeded");
  const bare: string[] = [];
  for await (const { operation, target, answer } of drawn(estate, new Set())) {
    const [found] =
      JSON.stringify(answer).match(/\b(ram|storage)\b[*: ]{1,4}\d[\d,.]*(?![\d,. ]*[KMGT]i?B).{0,20}/i) ?? [];
    if (found) bare.push(`${operation.command} ${target?.name}: ${found}`);
  }
  await estate.close();
  expect(bare).toEqual([]);
});
