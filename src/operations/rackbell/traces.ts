import type { AppContext } from "../../engine/app-context.ts";
import type { Link } from "../../identities/link.ts";

/** Ends what rests on a key that is no longer linked: what waits becomes void, what is followed is no longer, and so is what is watched. */
export async function dropTraces(context: AppContext, link: Link, why: string): Promise<void> {
  await context.watches.review(link.member);
  await context.requests.endFor(link, `${why} Nothing was done.`);
}
