import { WebClient } from "@slack/web-api";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { createRooms } from "../../src/app/rooms.ts";
import { bind } from "../../src/members/access/bound.ts";
import { createBlockSupport, refusedBlocks } from "../../src/messages/chat/block-support.ts";
import { createChat } from "../../src/messages/chat/chat.ts";
import { createPeople, peopleChanges } from "../../src/messages/chat/people.ts";
import { createResponseUses } from "../../src/messages/chat/response-uses.ts";
import { createWire } from "../../src/messages/chat/wire.ts";
import { createRegistry } from "../../src/operation/registry.ts";
import { operations, registry } from "../../src/operations/index.ts";
import { createPlatform } from "../../src/platform/platform.ts";
import { createSigner } from "../../src/process/signer.ts";
import type { RequestsApp } from "../../src/requests/app.ts";
import { openRequest } from "../../src/requests/ask.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { startPractice } from "../../src/sandbox/practice.ts";
import { said } from "../../src/sandbox/slack/server.ts";
import { openStore } from "../../src/storage/open.ts";
import { createSeal } from "../../src/storage/seal.ts";
import type { Store } from "../../src/storage/store.ts";
import { installedManifest } from "../stories/manifest.ts";
import { origin } from "./requests.ts";

const key = Buffer.alloc(32, 7);

/**
 * The app's rooms between a practice Slack and a practice platform, without its timers and its door to Slack: whatever a test calls happens
 * alone. `around` changes the store.
 */
export async function openRooms({
  mode = "self",
  around = (store) => store,
}: {
  mode?: "self" | "peer";
  around?: (store: Store) => Store;
} = {}) {
  const clock = createSandboxClock();
  const log = pino({ level: "silent" });
  const practice = await startPractice({ clock, manifest: installedManifest([]) });
  const { slack, platform } = practice;
  const store = around(await openStore({ url: "sqlite::memory:", clock, log }));
  const wire = createWire({ clock });
  onTestFinished(async () => {
    await store.close();
    await wire.close();
    await practice.close();
  });
  const foundation = {
    store,
    seal: createSeal({ key }),
    signer: createSigner({ key }, "audit record"),
    clock,
    log,
  };
  const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
  const onCall = () => {};
  const workspace = { team: slack.teamId, enterprise: null };
  const blockSupport = createBlockSupport({
    values: store.keyv(refusedBlocks),
    version: "0",
    clock,
    log,
    barred: new Set<string>(),
  });
  const people = createPeople({ client, wire, changes: store.keyv(peopleChanges), onCall, clock, log, workspace });
  const reach = {
    platform: createPlatform({ url: platform.url, clock, log }),
    chat: createChat({
      client,
      people,
      wire,
      paces: store.paces,
      timers: store.timers,
      blockSupport,
      responseUses: createResponseUses(store),
      clock,
      log,
    }),
    people,
  };
  const { context } = createRooms(foundation, reach, registry, {
    admins: [],
    approvals: { mode, ttl: 60 * 60_000 },
    panel: {},
    webhookUrl: null,
    agentsUrl: null,
    passkeys: { mode: "off", publicUrl: undefined, workspace: slack.teamId },
    linkMaxAgeMs: null,
    audit: { retentionMs: 365 * 24 * 60 * 60_000, deliver: null },
    clockProblems: () => [],
    onInvoked: () => {},
    onAudited: () => {},
    parse: () => ({ error: "unused" }),
  });
  const personOf = (name: "ana" | "ben" | "caro") => {
    const { id } = slack.as(name).user;
    return { ...origin(id), member: `${slack.teamId}:${id}`, channel: slack.channels.ops?.id ?? null };
  };
  for (const name of ["ana", "ben", "caro"] as const)
    await context.identities.link(personOf(name), platform.keys[name].key);
  return {
    clock,
    store,
    slack,
    platform,
    /** The calls that change something at the platform. */
    writes: () => platform.calls().filter(({ method }) => method !== "GET"),
    personOf,
    context,
    app: context.requests,
    /** All that a member sees in the channel. */
    messages: (name = "ana") => slack.as(name).sees("#ops").map(said),
    /** The same app in a version that lacks a command. */
    without: (command: string): RequestsApp => ({
      ...context.requests,
      registry: createRegistry(operations.filter((one) => one.command !== command)),
    }),
  };
}

/** The same app with a version of a command that names none of its preconditions. */
export function forgettingPreconditions({ app }: Pick<Rooms, "app">, command: string): RequestsApp {
  const changed = operations.map((operation) => {
    if (operation.command !== command || operation.api !== "customer") return operation;
    const bind: typeof operation.bind = (context) => {
      const bound = operation.bind(context);
      return {
        ...bound,
        async begin(call) {
          const act = await bound.begin(call);
          return { ...act, review: async () => ({ ...(await act.review()), preconditions: {} }) };
        },
      };
    };
    return { ...operation, bind };
  });
  return { ...app, registry: createRegistry(changed) };
}

type Rooms = Awaited<ReturnType<typeof openRooms>>;

/** Ana's request to cancel web-1, which waits for a decision; resolves with its id. */
export function askToCancel({ app, personOf }: Pick<Rooms, "app" | "personOf">): Promise<string> {
  return askFor({ app, personOf }, "vps cancel");
}

/** Ana's request to do this with web-1, or with what has the other name. It waits for a decision; resolves with its id. */
export async function askFor(
  { app, personOf }: Pick<Rooms, "app" | "personOf">,
  command: string,
  { name = "web-1", id = "3f1f0a6e-2b6b-4a51-9d8a-0a4b6ef0c001" } = {},
): Promise<string> {
  const operation = app.registry.find(command);
  if (!operation || operation.api === "app") throw new Error("There is no such command");
  const ana = personOf("ana");
  const bound = await bind(app, operation, ana.member);
  const target = await bound.resolve(name);
  if (target.is !== "id") throw new Error(`There is no ${name}`);
  const act = await bound.begin({ id, targetId: target.id, input: {}, now: app.clock.now() });
  await openRequest(app, { bound, act, origin: ana, generated: [] });
  return id;
}
