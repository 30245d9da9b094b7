import type { ApiName } from "../platform/http/errors.ts";
import type { CallContext } from "./call-context.ts";
import { type Identity, readIdentity } from "./identity.ts";
import type { TargetKind } from "./target.ts";

/** The identity of a row with the name of its location, by which its card calls it. */
export async function readNamedIdentity<A extends ApiName, T>(
  kind: Pick<TargetKind<A, T>, "identity" | "places">,
  context: Pick<CallContext<A>, "client" | "listing">,
  row: T,
): Promise<Identity> {
  const known = await readIdentity(kind, context.client, row);
  return (await namedPlaces(kind, context, [known]))[0] ?? known;
}

/** The identities with the names of their locations. A name that cannot be read leaves the code, so that a decision goes on. */
export async function namedPlaces<A extends ApiName, I extends Identity>(
  { places }: { places?: TargetKind<A, never>["places"] },
  { listing }: Pick<CallContext<A>, "listing">,
  all: readonly I[],
): Promise<I[]> {
  if (!places || all.every(({ location, place }) => location === null || place !== null)) return [...all];
  const { entries } = await listing(places).catch(() => ({ entries: [] }));
  const names = new Map(entries.map(({ id, name }) => [id, name]));
  return all.map((one) => ({ ...one, place: one.place ?? names.get(one.location ?? "") ?? null }));
}
