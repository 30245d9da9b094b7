import { bindToRead } from "../members/access/bound.ts";
import { askWhich } from "../messages/answers/questions.ts";
import type { Origin } from "../messages/origin.ts";
import { Refusal } from "../operation/errors.ts";
import { identityWords } from "../operation/identity.ts";
import type { Invocation } from "../operation/operation.ts";
import type { PlainText } from "../process/plain-text.ts";
import { delegate, type OfferedTarget, placeAsOffered } from "../requests/delegate.ts";
import type { App } from "./app.ts";
import { applyChannelDefault, type DefaultedInvocation, explainWithin, resolveWithin } from "./channel-default.ts";
import { refuseRenamed } from "./invoke.ts";

/**
 * Asks colleagues to do what the member's key cannot, on exactly the resources that this member means: a name may be another resource's in
 * the project of the colleague, in another channel, or an hour later.
 */
export async function askColleague(app: App, invocation: Invocation, origin: Origin): Promise<void> {
  const { registry, reply, requests } = app;
  const operation = registry.find(invocation.command);
  if (!operation || operation.api === "app")
    throw new Refusal("Rackbell no longer has that command. Nothing was requested.");
  const own = await bindToRead(app, operation, origin.member);
  const bound = await placeAsOffered(requests, own, invocation.delegation);
  // The button carries the words as they were typed.
  const meant = await applyChannelDefault(app, bound, invocation, { ...origin, pressed: false });
  try {
    const target = invocation.target === undefined ? null : await resolveWithin(meant, invocation.target, registry);
    if (target?.is === "ambiguous") return await askWhich(reply, operation, invocation, target, origin);
    const targets = target === null ? [] : await readTargets(meant, target.is === "id" ? [target] : target.found);
    await delegate(requests, { bound: meant.bound, invocation: meant.invocation, targets }, origin);
  } catch (error) {
    throw explainWithin(error, meant);
  }
}

/** Each read costs a call: of more targets, the list says enough. The colleague sees all their facts before anything runs. */
const mostRead = 10;

async function readTargets(
  { bound, invocation: { target: typed = "" } }: DefaultedInvocation,
  found: readonly { id: string; name: PlainText | null }[],
): Promise<OfferedTarget[]> {
  if (found.length > mostRead) return found.map(({ id, name }) => ({ id, name: name ?? id, facts: "" }));
  return Promise.all(
    found.map(async ({ id, name }) => {
      const { entry, identity } = await bound.identify(id);
      const names = [entry.name, ...entry.aliases];
      await refuseRenamed(bound, { target: entry, names }, { typed, name });
      return { id, name: entry.name, facts: identityWords(identity, entry.name) };
    }),
  );
}
