import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../clock.ts";
import type { Values } from "../storage/store.ts";
import type { Message, View } from "../views/blocks.ts";
import { richKindsIn, withoutKinds } from "../views/plain.ts";
import { SlackRefused } from "./errors.ts";

/** Slack brings newer blocks to workspaces one after the other: what it refused is tried again after this long, or by a newer version of the app. */
const retryAfterMs = 7 * 24 * 60 * 60_000;

/** How Slack refuses blocks, in messages and in views. */
const refusals = ["invalid_blocks", "invalid_arguments"];

const Refused = z.record(z.string(), z.number());

/** Which of the newer kinds of block the workspace takes: learnt by trying, and remembered for all instances. */
export interface BlockSupport {
  /** Delivers what is shown; where Slack refuses a newer kind of block in it, delivers the plain form, now and from then on. */
  send<M extends Message | View, T>(shown: M, deliver: (shown: M) => Promise<T>): Promise<T>;
}

/** `version` is the app's own. */
export function createBlockSupport(deps: { values: Values; version: string; clock: Clock; log: Logger }): BlockSupport {
  const { values, version, clock, log } = deps;
  let known: Promise<Record<string, number>> | undefined;

  async function read(): Promise<Record<string, number>> {
    return Refused.safeParse(await values.get(version).catch(() => undefined)).data ?? {};
  }

  /** The kinds among these that are not to be used now. */
  async function refusedAmong(kinds: string[]): Promise<Set<string>> {
    known ??= read();
    const refused = await known;
    return new Set(kinds.filter((kind) => (refused[kind] ?? 0) > clock.now()));
  }

  async function remember(kinds: string[]): Promise<void> {
    const until = clock.now() + retryAfterMs;
    const all = { ...(await read()), ...(await known), ...Object.fromEntries(kinds.map((kind) => [kind, until])) };
    known = Promise.resolve(all);
    await values
      .set(version, all, retryAfterMs)
      .catch((err: unknown) => log.warn({ err }, "Which blocks Slack refuses could not be kept"));
  }

  return {
    async send(shown, deliver) {
      const kinds = richKindsIn(shown.blocks);
      if (kinds.length === 0) return deliver(shown);
      const refused = await refusedAmong(kinds);
      const first = withoutKinds(shown, refused);
      const tried = kinds.filter((kind) => !refused.has(kind));
      try {
        return await deliver(first);
      } catch (error) {
        if (tried.length === 0 || !(error instanceof SlackRefused) || !refusals.includes(error.reason)) throw error;
        log.warn({ kinds: tried, details: error.details }, "Slack refuses newer blocks; their plain form is sent");
        // What is refused plainly, too, was not refused for its newer blocks: nothing is learnt from that.
        const delivered = await deliver(withoutKinds(shown, new Set(kinds)));
        await remember(tried);
        return delivered;
      }
    },
  };
}
