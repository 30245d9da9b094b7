import { type AccessApp, markRejected } from "../../members/access/access.ts";
import type { BoundOperation } from "../../members/access/bound.ts";
import { causedBy, Refusal, unseenTarget } from "../../operation/errors.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { code, listing } from "../../views/text.ts";
import { errorText } from "./error-text.ts";

/** The parts of the app that find out why the platform refused a call. */
type ExplainingApp = Pick<AccessApp, "identities" | "clock">;

/** Replaces an error by a clearer one where possible: a 404 with a valid id, or a key that lost scopes. */
export async function explainError(
  app: ExplainingApp,
  error: unknown,
  bound: BoundOperation,
  targetId: string | null,
): Promise<unknown> {
  await markRejected(app, bound.link, error);
  if (!(error instanceof PlatformRefused)) return error;
  if (error.scope !== undefined) return scopesChanged(app, bound, error);
  // The account's permissions may have changed; the refresh updates what Rackbell offers.
  if (error.code === "FORBIDDEN") await app.identities.refresh(bound.actor.member, bound.link.api).catch(() => null);
  if (error.status !== 404 || targetId === null || !bound.operation.target) return error;
  // The target was read before anything was sent.
  if (unseenTarget(error))
    return causedBy(new Refusal(`${errorText(error, app.clock.now()).text} Nothing was done.`), error);
  const meaning = await bound.explainMissing(targetId).catch(() => null);
  return meaning ? new Refusal(meaning) : error;
}

async function scopesChanged(
  { identities, clock }: ExplainingApp,
  { actor, link }: BoundOperation,
  error: PlatformRefused,
): Promise<unknown> {
  const refreshed = await identities.refresh(actor.member, link.api).catch(() => null);
  if (!refreshed || refreshed.lost.length === 0) return error;
  const { text, next } = errorText(error, clock.now());
  return new Refusal(
    `Your key no longer has ${listing(refreshed.lost.map((scope) => code(scope)))}. Rackbell now offers only commands that your key allows. ${text}`,
    next,
  );
}
