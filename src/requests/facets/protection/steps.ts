import { slackUserIn } from "../../../members/identities/person.ts";
import { type SlackUsers, userName } from "../../../members/slack-user.ts";
import { Refusal } from "../../../operation/errors.ts";
import { sameName } from "../../../operation/matching.ts";
import { readPolicy } from "../../../policy/policy.ts";
import type { Protection } from "../../../policy/protection/protection.ts";
import type { PlainText } from "../../../process/plain-text.ts";
import type { StoreApp } from "../../../storage/foundation.ts";
import { code, listing } from "../../../views/text.ts";
import type { RequestsApp } from "../../app.ts";
import type { Approval, Request } from "../../request.ts";
import { amendNewest, openAbout, readRequest } from "../../store.ts";
import type { Protected } from "./record.ts";

type NamingApp = StoreApp & { people: SlackUsers };

/** The protections of now, of what an act destroys. */
interface Destroyed {
  risk: string;
  target: Request["target"];
  /** The ids of what it destroys beside its target. */
  destroys: readonly string[];
}

/** The protection of what the act destroys; null if nothing of it is protected. Throws a Refusal for several. */
export async function protectionNow(app: NamingApp, act: Destroyed): Promise<Protected | null> {
  const [first, ...others] = await protectionsOf(app, act);
  if (!first) return null;
  if (others.length === 0) return facetOf(app, first, act.target);
  const names = listing([first, ...others].map(({ name }) => code(name)));
  throw new Refusal(
    `This would destroy several protected resources: ${names}. Nothing was done. Destroy them one at a time, or have their protection lifted.`,
  );
}

async function protectionsOf(app: StoreApp, { risk, target, destroys }: Destroyed): Promise<Protection[]> {
  if (risk !== "destroy") return [];
  const { protections } = await readPolicy(app);
  return protections.filter(({ id }) => id === target?.id || destroys.includes(id));
}

/** The name that people type is the one of now. */
async function facetOf(app: NamingApp, one: Protection, target: Request["target"]): Promise<Protected> {
  const { id, name, by, at } = one;
  const byName = await userName(app, slackUserIn(by));
  return { id, name: id === target?.id ? target.name : name, by, byName, at };
}

/** The ids of those that are protected. */
export async function protectedAmong(app: StoreApp, ids: readonly string[]): Promise<Set<string>> {
  const { protections } = await readPolicy(app);
  return new Set(protections.flatMap(({ id }) => (ids.includes(id) ? [id] : [])));
}

/**
 * The protection for which a press must have a name; null without one. Throws a Refusal if the name is missing or another one: the request
 * shows the protection from then on, and its button asks for the name.
 */
export async function requireName(
  app: RequestsApp,
  request: Request,
  destroys: readonly string[],
  named: string | undefined,
): Promise<Protected | null> {
  const now = await protectionNow(app, { ...request, destroys });
  if (now === null || (named !== undefined && isItsName(now, named))) return now;
  await amendNewest(app, request.id, ({ state }) => (state === "pending" ? { protection: now } : null));
  throw new Refusal(named === undefined ? untyped(now) : wrongName(code(now.name)));
}

/** Refuses a press during which a protection was set, or another one. */
export async function requireUnchanged(
  app: RequestsApp,
  request: Request,
  destroys: readonly string[],
  before: Protected | null,
): Promise<void> {
  const now = await protectionNow(app, { ...request, destroys });
  if (now !== null && (now.id !== before?.id || now.at !== before.at)) throw new Refusal(untyped(now));
}

/** Throws a Refusal if the resource was protected after somebody decided: that person has typed no name. */
export async function requireDecidedSince(
  app: RequestsApp,
  request: Request,
  destroys: readonly string[],
): Promise<void> {
  const now = await protectionNow(app, { ...request, destroys });
  if (now === null) return;
  const decided = [request.decidedAt ?? 0, ...request.approvals.map(({ at }) => at)];
  if (decided.every((at) => at >= now.at)) return;
  throw new Refusal(`${code(now.name)} was protected after this was decided, and nobody typed its name.`);
}

/** True if the approver typed the name: the protection was there when they approved. */
export function hasTyped({ at }: Approval, protection: Protected | null): boolean {
  return protection === null || at >= protection.at;
}

/** Compares as Rackbell compares typed names elsewhere: without regard to case and outer blanks. */
export function isItsName({ name }: { name: PlainText }, typed: string): boolean {
  return sameName(typed, name);
}

/** The refusal of another name. `shown`: the protected name, as the message or the modal can show it. */
export function wrongName(shown: string): string {
  return `That is not its name. Type ${shown}. Nothing was done.`;
}

function untyped(protection: Protected): string {
  return `${code(protection.name)} is protected, so you type its name first. Nothing was done. Press the button of the request again, or open \`/rackbell approvals\`.`;
}

/** The name that a press of this request asks for, as far as it is known without the platform; null if it asks for none. */
export async function nameToType(app: RequestsApp, id: string): Promise<{ request: Request; name: PlainText } | null> {
  const request = await readRequest(app, id);
  if (request?.state !== "pending") return null;
  const destroys = request.protection ? [request.protection.id] : [];
  // A message that shows a protection has no dialog, so its button asks for the name even if that was lifted a moment ago.
  const asked = (await protectionNow(app, { ...request, destroys })) ?? request.protection;
  return asked && { request, name: asked.name };
}

/** Has the waiting requests about a resource show that it is protected now, or no longer. */
export async function showProtection(app: RequestsApp, resource: string): Promise<void> {
  for (const request of await openAbout(app, resource)) {
    const destroys = request.protection ? [request.protection.id] : [];
    const protection = await protectionNow(app, { ...request, destroys });
    await amendNewest(app, request.id, ({ state }) => (state === "pending" ? { protection } : null));
  }
}
