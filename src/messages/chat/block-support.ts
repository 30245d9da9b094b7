import { hash } from "node:crypto";
import type { Logger } from "pino";
import * as z from "#zod";
import type { Clock } from "../../process/clock.ts";
import { defineKind } from "../../storage/kind.ts";
import type { TypedKeyv } from "../../storage/store.ts";
import type { Message, View } from "../../views/blocks.ts";
import { withButtonNames } from "../../views/button-names.ts";
import { richKindsIn, withoutKinds } from "../../views/plain.ts";
import { SlackRefused } from "./errors.ts";

/**
 * Slack releases newer blocks to one workspace after the other. A refused kind is tried again after this time, or by a newer app version.
 */
const retryAfterMs = 7 * 24 * 60 * 60_000;

/** Slack's error codes for blocks that it does not know, in messages and views. */
const refusals = ["invalid_blocks", "invalid_arguments"];

/** By the app's version: until when each kind of block that Slack refused is not tried again. */
const Refused = z.record(z.string(), z.number());
export const refusedBlocks = defineKind({
  name: "list of refused blocks",
  namespace: "block-support",
  schema: Refused,
  ttlMs: retryAfterMs,
});

/** Remembers which newer kinds of block the workspace accepts. The app finds out by trying, and all instances share the result. */
export interface BlockSupport {
  /** Calls `deliver` with `shown`, its buttons named for screen readers. If Slack refuses a newer kind of block in it, sends the plain form; from the second such message on at once. */
  send<M extends Message | View, T>(shown: M, deliver: (shown: M) => Promise<T>): Promise<T>;
}

/** `version`: the app's own version. A new version tries all kinds again. */
export function createBlockSupport(deps: {
  values: TypedKeyv<Record<string, number>>;
  version: string;
  /** Kinds that this installation has no scope for, so that they are not even tried. */
  barred?: ReadonlySet<string>;
  clock: Clock;
  log: Logger;
}): BlockSupport {
  const { values, version, barred = new Set(), clock, log } = deps;
  let known: Promise<Record<string, number>> | undefined;
  /** By kind: the digest of the message with which Slack refused it. One faulty message must not make all others plain. */
  const suspected = new Map<string, string>();

  async function read(): Promise<Record<string, number>> {
    return (await values.get(version).catch(() => undefined)) ?? {};
  }

  /** Those of `kinds` that Slack has refused and that may not be tried again yet. */
  async function refusedAmong(kinds: string[]): Promise<Set<string>> {
    known ??= read();
    const refused = await known;
    return new Set(kinds.filter((kind) => (refused[kind] ?? 0) > clock.now()));
  }

  /** Those of `kinds` that Slack refused in another message before. */
  function refusedTwice(kinds: string[], shown: Message | View): string[] {
    const digest = hash("sha256", JSON.stringify(shown.blocks));
    const again = kinds.filter((kind) => (suspected.get(kind) ?? digest) !== digest);
    for (const kind of kinds) suspected.set(kind, digest);
    return again;
  }

  async function remember(kinds: string[]): Promise<void> {
    if (kinds.length === 0) return;
    const until = clock.now() + retryAfterMs;
    const all = { ...(await read()), ...(await known), ...Object.fromEntries(kinds.map((kind) => [kind, until])) };
    known = Promise.resolve(all);
    await values
      .set(version, all)
      .catch((err: unknown) => log.warn({ err }, "The list of blocks that Slack refuses could not be stored"));
  }

  return {
    async send(whole, deliver) {
      const shown = withButtonNames(whole);
      const kinds = richKindsIn(shown.blocks);
      if (kinds.length === 0) return deliver(shown);
      const refused = (await refusedAmong(kinds)).union(barred);
      const first = withoutKinds(shown, refused);
      const tried = kinds.filter((kind) => !refused.has(kind));
      try {
        const delivered = await deliver(first);
        for (const kind of tried) suspected.delete(kind);
        return delivered;
      } catch (error) {
        if (tried.length === 0 || !(error instanceof SlackRefused) || !refusals.includes(error.reason)) throw error;
        log.warn({ kinds: tried, details: error.details }, "Slack refuses newer blocks; their plain form is sent");
        // If Slack refuses the plain form as well, the newer blocks were not the cause, so nothing is remembered.
        const delivered = await deliver(withoutKinds(shown, new Set(kinds)));
        await remember(refusedTwice(tried, shown));
        return delivered;
      }
    },
  };
}
