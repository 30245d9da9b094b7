import { unaskedDown } from "../../alerts/polling/observations.ts";
import type { AppContext } from "../app-context.ts";
import type { HomeResource } from "./home-kinds.ts";

/** Machines that are read at most: each costs a read of the store. */
const mostRead = 200;

/** The machines that are down without an act that led there, by id; since when, in milliseconds since the epoch, null if unknown. */
export type Downs = ReadonlyMap<string, number | null>;

export async function findDowns(
  app: Pick<AppContext, "store" | "clock" | "causes">,
  resources: readonly HomeResource[],
): Promise<Downs> {
  const machines = resources.filter(({ entry, kind }) => kind.power && entry.state !== "running").slice(0, mostRead);
  const found = await Promise.all(
    machines.map(async ({ entry: { id, state } }) => ({ id, down: await unaskedDown(app, id, state) })),
  );
  return new Map(found.flatMap(({ id, down }) => (down ? [[id, down.since] as const] : [])));
}
