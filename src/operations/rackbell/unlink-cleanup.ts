import type { AppContext } from "../../engine/app-context.ts";
import type { Link } from "../../identities/link.ts";

/** Ends everything that depends on an unlinked key: voids pending requests, and stops tracking and watches. */
export async function endWorkOfLink(context: AppContext, link: Link, why: string): Promise<void> {
  await context.watches.review(link.member);
  await context.requests.endFor(link, `${why} Nothing was done.`);
}
