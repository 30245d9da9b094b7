import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { privateAnswer } from "../../src/messages/answers/answers.ts";
import { unpackInvocation } from "../../src/messages/answers/buttons.ts";
import { chosenAct } from "../../src/messages/answers/card.ts";
import type { Answer } from "../../src/operation/answer.ts";
import { InputError, Refusal } from "../../src/operation/errors.ts";
import { type Field, fieldsOf } from "../../src/operation/fields.ts";
import type { BoundCalls, Invocation, PlatformOperation } from "../../src/operation/operation.ts";
import type { Entry, IndexedKind } from "../../src/operation/target.ts";
import { operations, registry } from "../../src/operations/index.ts";
import { ServiceStatus } from "../../src/platform/customer/states.ts";
import { type ApiName, PlatformRefused } from "../../src/platform/http/errors.ts";
import { createPlatform } from "../../src/platform/platform.ts";
import { ServiceStatus as ResoldStatus } from "../../src/platform/reseller/states.ts";
import { serviceStage, serviceStatuses } from "../../src/platform/service-stage.ts";
import { characters } from "../../src/process/plain-text.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { createPracticePlatform, type PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import { refusedBlocks } from "../../src/sandbox/slack/blocks/blocks.ts";
import { parseCommand } from "../../src/slack/command/parse.ts";
import { needsForm } from "../../src/slack/dispatch.ts";

// Every answer that reads alone is drawn for every state of the estate, and every button in it is pressed: against the real practice
// platform, with the real endpoints, each press that writes on an estate in which nothing has happened to its target.

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
  // Beside the others of its kind, so that each answer is drawn about one of these, too.
  "in states that no spec lists": ({ change, changeImage }) => {
    for (const name of ["web-1", "metal-1", "mail", "arena-1", "plugin-1", "transit-1"])
      change(name, { status: "locked" });
    change("web-2", { instance: { state: "locked" } });
    change("cache-1", { os_installation_status: "locked" });
    changeImage("golden-web", { status: "locked" });
  },
  "with switched-off capabilities": ({ change }) => {
    change("web-1", { capabilities: { actions: [] } });
    change("web-2", { capabilities: { snapshots: false } });
    change("mail", { capabilities: { password_reset: false } });
    change("cache-1", { capabilities: { images: false } });
    change("db-1", { capabilities: { reinstall: false } });
  },
};

/** Refusals that no state showed when the answer was drawn: their words, and their answers and commands. */
const hiddenOutcomes: { why: RegExp; of: RegExp }[] = [
  // An outside provider alone knows its verbs.
  { why: /ACTION_NOT_ALLOWED|ACTION_UNKNOWN|has no action|does not let customers/, of: /./ },
  // The contract shows no field of a game module, which knows what runs, and which backup is locked.
  { why: /game\.|refused with 40[49]/, of: /→ (reseller )?game / },
  // The card of a service reads no documents.
  { why: /is open already/, of: /^(service|vps|dedicated) show → service renew/ },
  // A management controller that fails is known by its failure alone.
  { why: /PROVIDER_ERROR/, of: /^dedicated show → dedicated / },
  // The form begins with the present add-ons, and a member changes them; these tests send the first choice.
  { why: /has exactly these add-ons already/, of: /^reseller service options → reseller service options set$/ },
  // Nothing shows if the platform takes an act or a read in a state that no spec lists: the practice platform shows no copies there.
  { why: /refused with 403/, of: /^reseller service show → reseller service backups$/ },
  // The reseller API does not show which job runs on a disk.
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
      const shared = { actor, confinedTo: null, may, changesState };
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

/** As the app binds it. */
function changesState(command: string): boolean {
  const other = registry.find(command);
  return other !== undefined && other.risk !== "read" && (other.target?.states.length ?? 0) > 0;
}

async function listed(entries: Promise<Entry[]>) {
  return { entries: await entries, unnamed: 0, at: 0 };
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
  return (
    serviceState(platform, target.id) ??
    JSON.stringify([target.state, target.states, target.trouble, characters(target.detail).replaceAll(/\d+/g, "")])
  );
}

/** The same of a service by its id; undefined for any other target. */
function serviceState(platform: PracticePlatform, serviceId: string): string | undefined {
  let service: ReturnType<PracticePlatform["find"]>;
  try {
    service = platform.find(serviceId);
  } catch {
    return undefined;
  }
  const { id, name, hostname, product, billing, created_at, order_id, project_id, location, specs, failure, ...rest } =
    service;
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
}

interface Drawn {
  operation: PlatformOperation;
  target: Entry | null;
  answer: Answer;
}

/** The answer, or the words of its refusal. */
async function draw(
  { bind }: Estate,
  operation: PlatformOperation,
  target: Entry | null,
  may?: (command: string) => boolean,
): Promise<Answer | string> {
  const accepted = operation.accept({});
  if ("error" in accepted) throw accepted.error;
  const bound = bind(operation, may);
  try {
    if (target !== null) await bound.usable(target.id);
    const targetId = target?.id ?? null;
    const act = await bound.begin({ id: randomUUID(), targetId, input: accepted.input, now: Date.now() });
    await act.usable();
    return await act.run();
  } catch (error) {
    return wordsOf(error);
  }
}

interface Drawing {
  drawn: Drawn[];
  /** By operation and state of the target: the words of the refusal, or null. */
  outcomes: Map<string, string | null>;
  /** The same by the button that leads there. */
  reads: Map<string, string | null>;
}

/** The answers of an estate, one for each state of a target that is not known already. */
async function drawAll(estate: Estate, known: Drawing["outcomes"] = new Map()): Promise<Drawing> {
  const drawn: Drawn[] = [];
  const outcomes = new Map(known);
  const reads: Drawing["reads"] = new Map();
  for (const operation of answers)
    for (const target of await estate.targets(operation)) {
      const key = `${operation.command} ${stateOf(estate.platform, target)}`;
      if (target === null || !outcomes.has(key)) {
        const answer = await draw(estate, operation, target);
        if (typeof answer !== "string") drawn.push({ operation, target, answer });
        outcomes.set(key, typeof answer === "string" ? answer : null);
      }
      const button = { command: operation.command, ...(target && { target: target.id }), input: {} };
      reads.set(buttonOf(button), outcomes.get(key) ?? null);
    }
  return { drawn, outcomes, reads };
}

/** Two buttons that do the same have the same text. */
function buttonOf({ command, target = "", input, form = false }: Invocation): string {
  return JSON.stringify([command, target, input, form]);
}

/** Two buttons without input that act on services in one state come to the same. */
function pressOf({ platform }: Estate, button: Invocation): string {
  const isAlike = button.target !== undefined && Object.keys(button.input).length === 0;
  const state = isAlike ? serviceState(platform, button.target ?? "") : undefined;
  return buttonOf(state === undefined ? button : { ...button, target: state });
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
    command,
    input,
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
  if (operation.api === "app" || operation.leading) return null;
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
    const needsReview = act.risk === "spend" || act.risk === "destroy";
    const { text } = await act.run(needsReview ? (await act.review()).before : await act.before());
    return / already\b/.test(text) ? text : null;
  } catch (error) {
    return wordsOf(error);
  }
}

interface Presses {
  pressed: Pressed[];
  /** By button, as one that comes to the same: the words of the refusal, or null. */
  outcomes: Map<string, string | null>;
}

interface Pressed {
  /** The answer that offers it, its target and the command. */
  button: string;
  way: string;
  words: string | null;
}

/** Presses every button of every answer about an estate; of one that is the same in the seeded estate, it is pressed there. */
async function pressAll(state: string): Promise<Presses> {
  const { estate, drawn, reads } = await drawing(state);
  const estates: Estate[] = [];
  const touched = new Map<string, number>();
  /** An estate in which no button has done anything to this target. */
  async function untouched(target = ""): Promise<Estate> {
    const times = touched.get(target) ?? 0;
    touched.set(target, times + 1);
    const fresh = estates[times] ?? (await openEstate(state));
    estates[times] = fresh;
    return fresh;
  }
  const outcomes = new Map(state === seededState ? [] : (await presses()).outcomes);
  const pressed: Pressed[] = [];
  for (const { operation, target, answer } of drawn)
    for (const offered of offeredIn(answer)) {
      const key = pressOf(estate, offered);
      // Reading the same once more would come to the same.
      const read = reads.get(buttonOf(offered));
      let words = read === undefined ? outcomes.get(key) : read;
      if (words === undefined) {
        const isRead = registry.find(offered.command)?.risk === "read";
        words = await press(isRead ? estate : await untouched(offered.target), offered);
        outcomes.set(key, words);
      }
      const way = `${operation.command} → ${offered.command}`;
      pressed.push({ button: `${way} (${characters(target?.name ?? "")}, ${target?.state})`, way, words });
    }
  for (const one of estates) await one.close();
  return { pressed, outcomes };
}

const seededState = "as it is seeded";

/** The value that `make` gives for a name, made once for all tests of the file. */
function once<T>(make: (name: string) => Promise<T>): (name?: string) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (name = seededState) => {
    const value = made.get(name) ?? make(name);
    made.set(name, value);
    return value;
  };
}

const opened: Estate[] = [];

/** The answers of an estate; of those that are the same in the seeded estate, they are drawn there alone. */
const drawing: (state?: string) => Promise<Drawing & { estate: Estate }> = once(async (state) => {
  const known = state === seededState ? undefined : (await drawing()).outcomes;
  const estate = await openEstate(state);
  opened.push(estate);
  return { estate, ...(await drawAll(estate, known)) };
});
afterAll(() => Promise.all(opened.map((estate) => estate.close())));
const presses: (state?: string) => Promise<Presses> = once(pressAll);

test.each(Object.keys(states))(
  "no button of any answer about an estate %s is refused by what was known when it was drawn",
  async (state) => {
    const { pressed } = await presses(state);
    expect(pressed.length).toBeGreaterThan(0);
    const refused = pressed.filter(
      ({ way, words }) => words !== null && !hiddenOutcomes.some(({ why, of }) => why.test(words) && of.test(way)),
    );
    expect(refused.map(({ button, words }) => `${button}: ${words}`)).toEqual([]);
  },
  120_000,
);

test("each refusal that no state shows beforehand still comes", async () => {
  const pressed = (await Promise.all(Object.keys(states).map((state) => presses(state)))).flatMap((one) => one.pressed);
  const stale = hiddenOutcomes.filter(
    ({ why, of }) => !pressed.some(({ way, words }) => words !== null && why.test(words) && of.test(way)),
  );
  expect(stale).toEqual([]);
}, 120_000);

interface ShownCard {
  buttons: Element[];
  options: Element[];
  menus: number;
}
type Element = { label: string; invocation: Invocation };

/** The buttons of a card, and the options of its menu. */
function shownCard({ operation, target, answer }: Drawn, may: (command: string) => boolean): ShownCard {
  const pinned = { command: operation.command, input: {}, ...(target ? { target: target.id } : {}) };
  const offer = (command: string) => (may(command) ? (registry.find(command) ?? null) : null);
  const { blocks } = privateAnswer(answer, {
    offer,
    name: target?.name ?? "",
    invocation: pinned,
    shareLabel: "Show to channel",
  });
  expect(refusedBlocks(blocks)).toEqual([]);
  const elements = blocks.flatMap((block) => (block.type === "actions" ? block.elements : []));
  const unpacked = (label: string, invocation: Invocation | null) => {
    if (!invocation) throw new Error(`${label} leads nowhere`);
    return { label, invocation };
  };
  const menus = elements.filter((element) => element.type === "static_select");
  return {
    menus: menus.length,
    buttons: elements.flatMap((element) =>
      element.type === "button" ? [unpacked(element.text.text, unpackInvocation(element.value ?? ""))] : [],
    ),
    options: menus.flatMap(({ action_id: id = "", option_groups: groups = [] }) =>
      groups.flatMap(({ options }) => options.map(({ text, value = "" }) => unpacked(text.text, chosenAct(id, value)))),
    ),
  };
}

function mayDestroy({ invocation: { command } }: Element): boolean {
  const operation = registry.find(command);
  if (!operation) throw new Error(`There is no ${command}`);
  return operation.api === "app" ? operation.risk === "destroy" : operation.risks.includes("destroy");
}

test.each(Object.keys(states))(
  "every card of an estate %s has at most four buttons and one menu, loses no act, and destroys from the menu alone",
  async (state) => {
    const { drawn } = await drawing(state);
    const cards = drawn.filter(({ operation }) => operation.command.endsWith(" show"));
    const wrong = cards.flatMap((one) => {
      const name = `${one.operation.command} ${characters(one.target?.name ?? "")}`;
      const { buttons, options, menus } = shownCard(one, () => true);
      const labels = [...buttons, ...options].map(({ label }) => label);
      const lost = (one.answer.next ?? []).filter(({ label, turn }) => !turn && !labels.includes(characters(label)));
      return [
        ...(one.answer.details ? [] : [`${name} is no card`]),
        ...(buttons.length > 4 || menus > 1 ? [`${name} has ${buttons.length} buttons and ${menus} menus`] : []),
        ...buttons.filter(mayDestroy).map(({ label }) => `${name}: ${characters(label)} destroys beside the others`),
        ...lost.map(({ label }) => `${name} loses ${characters(label)}`),
      ];
    });
    expect(wrong).toEqual([]);
    expect(new Set(cards.map(({ operation }) => operation)).size).toBeGreaterThan(state === seededState ? 10 : 0);
  },
  60_000,
);

test("a key that only reads is offered no act in any row, button or menu of any answer", async () => {
  const { estate, drawn: forAll } = await drawing();
  const reads = (command: string) => {
    const operation = registry.find(command);
    return operation?.api === "app" || operation?.scope === "read";
  };
  // An answer that offers a full key no act has none to hide; one of each operation is drawn all the same.
  const shows = (one: Drawn) => offeredIn(one.answer).some(({ command }) => !reads(command));
  const some = forAll.filter(
    (one, at) => shows(one) || forAll.findIndex((other) => other.operation === one.operation) === at,
  );
  const drawn: Drawn[] = [];
  for (const one of some) {
    const answer = await draw(estate, one.operation, one.target, reads);
    if (typeof answer !== "string") drawn.push({ ...one, answer });
  }
  expect(drawn).toHaveLength(some.length);
  const offered = drawn.flatMap((one) => {
    const { buttons, options } = one.answer.details ? shownCard(one, reads) : { buttons: [], options: [] };
    const shown = [...rowsIn(one.answer), ...[...buttons, ...options].map(({ invocation }) => invocation)];
    return shown.flatMap(({ command }) => (reads(command) ? [] : [`${one.operation.command}: ${command}`]));
  });
  expect(offered).toEqual([]);
});

test("an answer about a resource in a state that no spec lists offers no act on what has a state, and its card says so", async () => {
  const { drawn } = await drawing("in states that no spec lists");
  const about = drawn.filter(({ target }) => [target?.state, ...(target?.states ?? [])].includes("locked"));
  expect(new Set(about.map(({ operation }) => operation.target?.noun)).size).toBeGreaterThan(4);
  const offered = about.flatMap(({ operation, target, answer }) =>
    offeredIn(answer).flatMap(({ command }) =>
      changesState(command) ? [`${operation.command} → ${command} (${characters(target?.name ?? "")})`] : [],
    ),
  );
  expect(offered).toEqual([]);
  const silent = about.filter(
    ({ operation, answer }) =>
      operation.command === operation.target?.card &&
      !JSON.stringify(answer.blocks).includes("Rackbell does not know the state “locked”, so it offers no act here."),
  );
  expect(silent.map(({ operation }) => operation.command)).toEqual([]);
});

const cancellable = ["pending_payment", "active", "provisioning_failed"];
const lasting = serviceStatuses.filter((status) => serviceStage(status) !== "ended");
/** The listed states in which somebody is asked to decide on an act that destroys or charges; for one that is not here, the active one alone. */
const decidedIn: Record<string, readonly string[]> = {
  "vps cancel": cancellable,
  "service cancel": cancellable,
  // The specs name no state in which the platform keeps an add-on, or a change that is not paid yet.
  "service upgrade cancel": serviceStatuses,
  "service option add": serviceStatuses,
  "service option remove": serviceStatuses,
  "reseller service options set": lasting,
  "reseller service option remove": lasting,
  "reseller service sshkey delete": lasting,
  "reseller service terminate": serviceStatuses.filter((status) => status !== "terminated"),
  // A suspended service refuses only what reseller spec section 4.3 lists.
  "reseller service transit": ["active", "suspended"],
  "reseller service run": ["active", "suspended"],
  "reseller service capture": ["active", "suspended"],
  "reseller game": ["active", "suspended"],
};

test("nobody is asked to destroy or to pay in a listed state but those in which the spec has the act", async () => {
  const deciding = onPlatform.filter(
    ({ risk, risks, target }) =>
      risk !== "read" && (risks.includes("destroy") || risks.includes("spend")) && target?.states.includes("active"),
  );
  const asked = new Map<string, string[]>();
  const estate = await openEstate(seededState);
  opened.push(estate);
  for (const operation of deciding)
    for (const status of operation.api === "customer" ? ServiceStatus.options : ResoldStatus.options)
      if (await isAsked(estate, operation, status))
        asked.set(operation.command, [...(asked.get(operation.command) ?? []), status]);
  const states = (command: string) =>
    decidedIn[command.startsWith("reseller game ") ? "reseller game" : command] ?? ["active"];
  for (const { command, api } of deciding)
    expect.soft(asked.get(command)?.toSorted(), command).toEqual(
      states(command)
        .filter((status) => api === "reseller" || status !== "fraud")
        .toSorted(),
    );
}, 120_000);

/** True if the state of the example's target lets it come to a decision. An input that is missing has passed the state. */
async function isAsked(
  { platform, bind, targets }: Estate,
  operation: PlatformOperation,
  status: ServiceStatus | ResoldStatus,
): Promise<boolean> {
  const [noun = ""] = operation.command.split(" ");
  const parsed = parseCommand(registry, noun, operation.example.slice(noun.length + 2));
  if (!("invocation" in parsed)) throw new Error(`${operation.example} is no invocation`);
  const { target: typed = "", input } = parsed.invocation;
  const entries = (await targets(operation)).filter((entry) => entry !== null);
  const { id = "" } = entries.find(({ name, aliases }) => [name, ...aliases].includes(typed)) ?? {};
  const before = platform.find(id).status;
  if (status === "fraud") platform.reseller.withhold(id);
  else platform.change(id, { status });
  const bound = bind(operation);
  try {
    await bound.usable(id);
    const act = await bound.begin({ id: randomUUID(), targetId: id, input: { ...input, password }, now: Date.now() });
    await act.usable();
    if (act.risk === "destroy" || act.risk === "spend") await act.review();
    return act.risk !== "read";
  } catch (error) {
    return wordsOf(error) !== "" && error instanceof InputError;
  } finally {
    platform.change(id, { status: before });
    if (status === "fraud") platform.reseller.withhold(id, false);
  }
}

test("no answer shows the memory or the disk of a plan without its unit", async () => {
  const bare: string[] = [];
  for (const { operation, target, answer } of (await drawing()).drawn) {
    const [found] =
      JSON.stringify(answer).match(/\b(ram|storage)\b[*: ]{1,4}\d[\d,.]*(?![\d,. ]*[KMGT]i?B).{0,20}/i) ?? [];
    if (found) bare.push(`${operation.command} ${characters(target?.name ?? "")}: ${found}`);
  }
  expect(bare).toEqual([]);
});
