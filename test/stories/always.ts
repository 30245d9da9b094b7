import { expect } from "vitest";
import * as z from "zod";
import { unpackInvocation } from "../../src/messages/answers/buttons.ts";
import { fieldsOf, isSecret, withoutSecrets } from "../../src/operation/fields.ts";
import { registry } from "../../src/operations/index.ts";
import type { PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import type { Message, PracticeSlack, View, WorkspaceState } from "../../src/sandbox/slack/server.ts";
import { readMarkup } from "./markup.ts";
import { readTexts } from "./shown-texts.ts";

/** The checks of every story, from its start to its end. */
interface Always {
  /** Secrets that only the modal that reveals them may show: all keys and tokens, and those that the story adds. */
  secrets: Set<string>;
  /** Reads all that was shown, before the practice workspace closes. */
  read(): void;
  expectGood(): void;
}

/** The line that takes a message's place once another organisation reads its channel. */
export const concealedText = "Another organisation reads this channel, so Rackbell shows nothing more here.";

/** A busy machine, or time that a story skips, makes some calls come too late. The app has another way for these. */
const tooLate = ["expired_trigger_id", "expired_url"];

/** The calls that Slack refused for another reason than their time. */
export function refusedCalls(slack: Pick<PracticeSlack, "state">): WorkspaceState["violations"] {
  return slack.state().violations.filter(({ error }) => !tooLate.includes(error));
}

export function checkAlways(story: {
  slack: PracticeSlack;
  platform: PracticePlatform;
  log: readonly string[];
  unknownKeys: ReadonlySet<string>;
  slackRefuses: readonly string[];
}): Always {
  const { slack, platform, log, unknownKeys, slackRefuses } = story;
  const { keys, reseller } = platform;
  const secrets = new Set([
    ...[...Object.values(keys), ...Object.values(reseller.keys)].map(({ key }) => key),
    ...[reseller.signingSecret() ?? slack.botToken, slack.botToken, slack.appToken],
  ]);
  const faultsOfTexts = readTexts(slack, platform);
  const faultsOfMarkup = readMarkup(slack);
  slack.onChange(({ shown }) => {
    if (shown && "callback_id" in shown) for (const secret of revealed(shown)) secrets.add(secret);
  });
  const secretsOfInputs = new Set<string>();
  slack.onChange(({ shown }) => {
    if (shown) for (const found of secretInputs(shown)) secretsOfInputs.add(found);
  });
  const sharedMessages: string[] = [];
  slack.onChange(({ shown }) => {
    if (!shown || !("ts" in shown) || shown.user !== slack.botUserId || shown.ephemeralTo) return;
    const isShared = Object.values(slack.channels).some(
      ({ id, is_ext_shared }) => id === shown.channel && is_ext_shared,
    );
    if (isShared && shown.text !== concealedText) sharedMessages.push(shown.text);
  });
  let shown: string[] = [];
  let blocks: unknown[] = [];
  let invented: string[] = [];
  let violations: unknown[] = [];
  return {
    secrets,
    read() {
      const state = slack.state();
      shown = everythingShown(state);
      blocks = everyBlocks(state);
      violations = refusedCalls(slack).filter(({ error }) => !slackRefuses.includes(error));
      invented = platform.calls().flatMap(({ path, body }) => inventedIn(body).map((name) => `${path}: ${name}`));
    },
    expectGood() {
      expect(violations).toEqual([]);
      // A story that shares a channel lets a minute pass, as long as the app keeps what Slack said of it.
      expect(sharedMessages).toEqual([]);
      // Slack keeps what a message carries, and a press would set a password that nobody was shown.
      expect([...secretsOfInputs]).toEqual([]);
      // A name is the member's, or the platform makes it.
      expect(invented).toEqual([]);
      expect(log.filter((line) => line.includes("handles these timers"))).toEqual([]);
      expect(
        [...unknownKeys],
        "add the keys of a new review to review-keys.ts, which says how a key is renamed",
      ).toEqual([]);
      for (const secret of [...secrets, slack.signingSecret]) {
        expect(shown.find((text) => text.includes(secret))).toBeUndefined();
        expect(log.find((line) => line.includes(secret))).toBeUndefined();
      }
      expect(shown.flatMap((text) => text.match(escapedTwice) ?? [])).toEqual([]);
      expect(faultsOfMarkup()).toEqual([]);
      expect(faultsOfTexts()).toEqual([]);
      // Of several buttons with one label, a screen reader hears which is which.
      expect(blocks.flatMap(unnamedButtons)).toEqual([]);
    },
  };
}

const fields = registry.all.flatMap(({ input }) => fieldsOf(input));
const openNames = new Set(fields.filter((field) => !isSecret(field)).map(({ name }) => name));
/** Of the names of secrets, those that no command takes as text. */
const secretNames = fields.filter((field) => isSecret(field) && !openNames.has(field.name)).map(({ name }) => name);
const secretTyped = new RegExp(`(?<![\\w-])(?:${secretNames.join("|")})=[^\\s…]\\S*`, "g");

/** Secret inputs that a message or a view carries: packed in a button or menu, or as words of a command. */
function secretInputs(shown: Message | View): string[] {
  const found: string[] = [];
  JSON.stringify(shown.blocks, (_key, value) => {
    if (typeof value === "string") found.push(...secretsIn(value));
    return value;
  });
  return found;
}

/** Values without a secret. Most were shown before: to unpack each again was 4 to 10 % of a story's processor time. */
const harmless = new Set<string>();

function secretsIn(value: string): string[] {
  if (harmless.has(value)) return [];
  const invocation = value.includes("{") ? unpackInvocation(value.slice(value.indexOf("{"))) : null;
  const schema = invocation && registry.find(invocation.command)?.input;
  if (!schema) return value.match(secretTyped) ?? [];
  if (JSON.stringify(withoutSecrets(schema, invocation.input)) !== JSON.stringify(invocation.input))
    return [`A button of /${invocation.command} carries a secret`];
  harmless.add(value);
  return [];
}

/** The app's own markup that was escaped as if it were foreign text, and foreign text that was escaped twice. */
const escapedTwice = /(?:&amp;(?:lt|gt|amp);|&lt;(?:[#@][A-Z0-9]{6}|!date\^|!subteam\^)|ˋ\/[a-z]).{0,80}/;

/** The fields by which the platform takes a write once; each has the id of a request. */
const onceFields = new Set(["externalOrderId", "externalReference", "idempotencyKey"]);
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** Texts of a body that were made from an id. A whole id names a resource of the platform. */
function inventedIn(body: unknown, field = ""): string[] {
  if (typeof body === "string")
    return uuid.test(body) && !onceFields.has(field) && body.replace(uuid, "") !== "" ? [body] : [];
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => inventedIn(value, Array.isArray(body) ? field : name));
}

/** The texts that a reveal modal shows in its code blocks. */
function revealed({ callback_id, blocks }: View): string[] {
  if (callback_id !== "reveal") return [];
  return [...JSON.stringify(blocks).matchAll(/```(.+?)```/g)].map(([, secret]) => secret ?? "");
}

const SeenButton = z.object({
  type: z.literal("button"),
  text: z.object({ text: z.string() }),
  accessibility_label: z.string().max(75).optional(),
});

/** The labels that several buttons of a message or view have, and by which a screen reader cannot tell them apart. */
function unnamedButtons(blocks: unknown): string[] {
  const found: z.infer<typeof SeenButton>[] = [];
  JSON.stringify(blocks, (_key, value) => {
    const button = value?.type === "button" ? SeenButton.safeParse(value) : null;
    if (button?.success) found.push(button.data);
    return value;
  });
  return [...Map.groupBy(found, ({ text }) => text.text)].flatMap(([label, alike]) => {
    const names = new Set(alike.map((button) => button.accessibility_label ?? ""));
    const isClear = names.size === alike.length && [...names].every((name) => name.startsWith(label));
    return alike.length < 2 || isClear ? [] : [`${label}: ${[...names].join(", ")}`];
  });
}

/** The blocks of each message and view that anybody sees. */
function everyBlocks({ channels, ephemerals, modals, homes }: WorkspaceState): unknown[] {
  const messages = [...Object.values(channels), ...Object.values(ephemerals)].flat();
  return [...messages, ...Object.values(modals).flat(), ...Object.values(homes)].flatMap((one) =>
    one ? [one.blocks] : [],
  );
}

/** All that anybody sees in the workspace, but for what a reveal modal shows and what a person has typed into a form. */
function everythingShown({ channels, ephemerals, modals, homes, files, violations }: WorkspaceState): string[] {
  const views = [...Object.values(modals).flat(), ...Object.values(homes)].flatMap((view) =>
    view && view.callback_id !== "reveal" ? [JSON.stringify([view.blocks, view.private_metadata])] : [],
  );
  const messages = [...Object.values(channels), ...Object.values(ephemerals)].flat();
  return [
    ...messages.map((message) => JSON.stringify(message)),
    ...views,
    ...files.map(({ content }) => Buffer.from(content).toString()),
    JSON.stringify(violations),
  ];
}
