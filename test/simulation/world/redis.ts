import type { Logger } from "pino";
import type { Clock } from "../../../src/process/clock.ts";
import type { SandboxClock } from "../../../src/sandbox/clock.ts";
import { createStore } from "../../../src/storage/create.ts";
import type { Item } from "../../../src/storage/engine.ts";
import { openRedis } from "../../../src/storage/redis/engine.ts";
import type { Store } from "../../../src/storage/store.ts";
import { createDraws } from "../../torture/draws.ts";
import { type Dump, indexIn, textIn } from "../redis/keyspace.ts";
import { createLockstep, type Lockstep } from "../redis/lockstep.ts";
import { createRedisModel, type RedisModel, usualSettings } from "../redis/model.ts";
import { createRedisServer } from "../redis/server.ts";
import { createAccepted } from "./accepted.ts";
import type { Network } from "./network.ts";
import { createProcess, type Process } from "./processes.ts";
import type { Schedule } from "./schedule.ts";
import { createSimulatedClock } from "./time.ts";

const prefix = "rackbell";
const port = 49_000;

/** A Redis in a simulated world: a process of its own, with a clock of its own. */
export interface Redis {
  open(options: { clock: Clock; log: Logger }): Promise<Store>;
  model: RedisModel;
  /** The real server that goes along. */
  lockstep: Lockstep | null;
  /** Its process; another after each start. */
  readonly process: Process;
  clock: SandboxClock;
  /** It dies as by a power cut. */
  kill(): void;
  /** It runs, with what its disk has. */
  start(): void;
  /** The answers that are on their way are lost, with all its connections. */
  loseAnswers(): void;
  image(): Dump;
  /** The writes that it has accepted and lost, as sentences. */
  lost(): string[];
  /** All records, members and counters, as a copy of the store has them. */
  items(): Item[];
}

interface RedisOptions {
  /** Its content at first. */
  image?: Dump | undefined;
  /** Between looks for others' timers, as the store has it unless given. */
  lookEveryMs?: number | undefined;
  /** Its signs of life, which nobody else waits for. */
  signs?: { everyMs: number; lastMs: number } | undefined;
  /** The port of a real Redis, which goes along with the model: then nothing ever expires. */
  realPort?: number | undefined;
}

export function createRedis(
  { schedule, network }: { schedule: Schedule; network: Network },
  { image, lookEveryMs, signs, realPort }: RedisOptions = {},
): Redis {
  const clock = createSimulatedClock(schedule);
  const model = createRedisModel(clock.now, usualSettings, { expires: realPort === undefined });
  if (image) model.keys.load(image);
  const lockstep =
    realPort === undefined
      ? null
      : createLockstep(network.connectForReal(realPort), model, clock.now, () => schedule.busy({ real: true }));
  const accepted = createAccepted();
  let process = createProcess(schedule, "redis");
  network.name(port, "redis");

  function start(): void {
    if (process.state === "dead") process = createProcess(schedule, "redis");
    process.run(() => createRedisServer(model, lockstep?.execute).listen(port));
  }

  start();
  return {
    model,
    lockstep,
    clock,
    get process() {
      return process;
    },
    async open({ clock, log }) {
      const engine = await openRedis({ url: `redis://127.0.0.1:${port}`, prefix, log, ...(signs ? { signs } : {}) });
      const looking = lookEveryMs === undefined ? engine : { ...engine, lookEveryMs };
      return createStore(accepted.watch(looking), { clock, log, alone: false }).store;
    },
    kill() {
      if (process.state === "dead") return;
      process.kill();
      network.kill(process);
      // Drawn from where the world stands, so that no other draw changes.
      model.restart(createDraws(schedule.digest ^ schedule.events).between(0, model.keys.unflushed));
    },
    start() {
      if (process.state === "dead") start();
    },
    loseAnswers: () => network.loseAnswers(process),
    // The instances have ended long before another world continues from here.
    image: () => model.keys.dump().filter(({ key }) => !key.startsWith(`{${prefix}}:instance`)),
    lost: () =>
      accepted.lost((key) => {
        const text = textIn(model.keys.get(Buffer.from(`{${prefix}}:${key}`).toString("latin1")));
        return text === undefined ? undefined : utf8(text);
      }),
    items: () => model.keys.keys().flatMap((key) => itemsIn(model, key)),
  };
}

/** The keys of the store's own upkeep are none of its content. */
function itemsIn({ keys }: RedisModel, key: string): Item[] {
  const [, own = "", kind, name = ""] = /^\{.*?\}:((value|index|counter):(.*))$/s.exec(utf8(key)) ?? [];
  const entry = keys.get(key);
  if (kind === "value")
    return [{ kind: "text", key: own, text: utf8(textIn(entry) ?? ""), endsAt: entry?.endsAt ?? null }];
  if (kind === "counter") return [{ kind, counter: name, number: Number(textIn(entry)) }];
  if (kind !== "index") return [];
  const members = indexIn(entry)?.all() ?? [];
  return members.map(({ member, score }) => ({ kind: "member", index: name, member: utf8(member), score }));
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}
