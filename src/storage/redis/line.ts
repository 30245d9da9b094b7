import { ErrorReply } from "@redis/client";
import * as z from "#zod";
import { sleep, systemClock } from "../../process/clock.ts";
import { StorageError } from "../errors.ts";
import { type Address, type Client, type OutageLog, openClient, whyTurnedAway } from "./client.ts";

/** The connection to the server that has the store's keys. Its client may change. */
export interface RedisLine {
  client(): Client;
  /** Calls `ready` after each reconnect. */
  onReady(ready: () => void): void;
  /** Reports that the keys have left this client's server. Resolves once they are found. */
  moved(from: Client): Promise<void>;
  /** The refusal for which it cannot reconnect, if Redis gave one. */
  refusal(): ErrorReply | undefined;
  close(): Promise<void>;
  destroy(): void;
}

/** A line to one server; the client reconnects by itself. */
export function createLine(client: Client): RedisLine {
  return {
    client: () => client,
    onReady: (ready) => void client.on("ready", ready),
    moved: async () => {},
    refusal: () => whyTurnedAway(client),
    close: () => close(client),
    destroy: () => destroy(client),
  };
}

async function close(client: Client): Promise<void> {
  if (client.isReady) await client.close();
  else destroy(client);
}

function destroy(client: Client): void {
  if (client.isOpen) client.destroy();
}

type Place = Pick<Address, "host" | "port">;

const pauseMs = 200;
/** Milliseconds to wait for one node; another may know where the keys are. */
const nodeWaitMs = 500;

const Node = z.tuple([z.string().nullable(), z.number()]).rest(z.unknown());
const Ranges = z.array(z.tuple([z.number(), z.number(), Node]).rest(z.unknown()));

/**
 * A line to the Cluster node with the slot of `key`, which holds every key of the store. It searches again when that node is lost or has
 * given the slot away. Throws StorageError if no node answers.
 */
export async function openClusterLine(
  address: Address,
  { key, away }: { key: string; away: OutageLog },
): Promise<RedisLine> {
  const listeners = new Set<() => void>();
  let nodes: Place[] = [address];
  let closed = false;
  let moving: Promise<void> | undefined;
  let refusal: ErrorReply | undefined;

  function openNode({ host, port }: Place): Promise<Client> {
    const name = `${host}:${port}`;
    return openClient({ ...address, host, port, name }, { away, waitMs: nodeWaitMs, stays: false });
  }

  /** Asks a node for the slot's owner, and connects to that. */
  async function ask(node: Place): Promise<Client> {
    const visited = await openNode(node);
    const slot = z.number().parse(await visited.sendCommand(["CLUSTER", "KEYSLOT", key]));
    const ranges = Ranges.parse(await visited.sendCommand(["CLUSTER", "SLOTS"]));
    // A node without a name of its own has the one under which it was reached.
    nodes = [address, ...ranges.flatMap(([, , ...all]) => all.flatMap((one) => placeOf(one, node) ?? []))];
    const range = ranges.find(([from, to]) => from <= slot && slot <= to);
    const owner = placeOf(range?.[2], node);
    if (!owner || (owner.host === node.host && owner.port === node.port)) return visited;
    visited.destroy();
    return openNode(owner);
  }

  async function locate(): Promise<Client> {
    const failures: unknown[] = [];
    for (const node of nodes) {
      try {
        return await ask(node);
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures[0];
  }

  function follow(client: Client): Client {
    client.on("error", (error: unknown) => void relocate(client, error));
    return client;
  }

  async function relocate(from: Client, why: unknown): Promise<void> {
    if (closed || (from !== current && moving === undefined)) return;
    moving ??= search(from, why).finally(() => {
      moving = undefined;
    });
    return moving;
  }

  async function search(from: Client, why: unknown): Promise<void> {
    away.lost(listeners, why);
    destroy(from);
    while (!closed) {
      const found = await locate().catch(async (error: unknown) => {
        refusal = error instanceof StorageError && error.cause instanceof ErrorReply ? error.cause : undefined;
        await sleep(systemClock, pauseMs);
      });
      if (!found) continue;
      refusal = undefined;
      if (closed) return found.destroy();
      current = follow(found);
      away.found(listeners);
      for (const ready of listeners) ready();
      return;
    }
  }

  let current = follow(await locate());
  return {
    client: () => current,
    onReady: (ready) => void listeners.add(ready),
    refusal: () => refusal,
    moved: (from) => relocate(from, new Error("The slot has moved to another node")),
    close() {
      closed = true;
      return close(current);
    },
    destroy() {
      closed = true;
      destroy(current);
    },
  };
}

function placeOf(node: unknown, visited: Place): Place | undefined {
  const read = Node.safeParse(node).data;
  if (!read) return undefined;
  const [host, port] = read;
  return { host: host === null || host === "" || host === "?" ? visited.host : host, port };
}

/** True for a refusal, without effect, because another node has the slot. */
export function isMoved(error: unknown): boolean {
  return error instanceof ErrorReply && /^(MOVED|ASK) /.test(error.message);
}
