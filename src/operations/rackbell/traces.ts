import type { AppContext } from "../../engine/app-context.ts";
import type { Link } from "../../identities/link.ts";

/** Ends what rests on a key that is no longer linked: open requests become void, and what is followed is no longer. */
export async function dropTraces(context: AppContext, link: Link, why: string): Promise<void> {
  await context.requests.voidFor(link, `${why} Nothing was done.`);
  await context.follow.stopFor(link);
}
