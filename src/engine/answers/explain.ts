import type { Clock } from "../../clock.ts";
import type { Identities } from "../../identities/identities.ts";
import { Refusal } from "../../operation/errors.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { code, listing } from "../../views/text.ts";
import type { Access } from "../access.ts";
import type { BoundOperation } from "../bound.ts";
import { errorText } from "./error-text.ts";

/** Adds to an error what can be known of it: a 404 with the right id, a key that is no longer what it was. */
export type Explain = (error: unknown, bound: BoundOperation, targetId: string | null) => Promise<unknown>;

export function createExplain(deps: { access: Access; identities: Identities; clock: Clock }): Explain {
  const { access, identities, clock } = deps;

  async function scopesChanged({ actor, link }: BoundOperation, error: PlatformRefused): Promise<unknown> {
    const refreshed = await identities.refresh(actor.member, link.api).catch(() => null);
    if (!refreshed || refreshed.lost.length === 0) return error;
    const { text, next } = errorText(error, clock.now());
    return new Refusal(
      `Your key no longer has ${listing(refreshed.lost.map((scope) => code(scope)))}; what I offer you is now according to that. ${text}`,
      next,
    );
  }

  return async (error, bound, targetId) => {
    await access.markRejected(bound.actor.member, error);
    if (!(error instanceof PlatformRefused)) return error;
    if (error.scope !== undefined) return scopesChanged(bound, error);
    // What the account permits changed, perhaps: what is offered follows.
    if (error.code === "FORBIDDEN") await identities.refresh(bound.actor.member, bound.link.api).catch(() => null);
    if (error.status !== 404 || targetId === null || !bound.operation.target) return error;
    const meaning = await bound.explainMissing(targetId).catch(() => null);
    return meaning ? new Refusal(meaning) : error;
  };
}
