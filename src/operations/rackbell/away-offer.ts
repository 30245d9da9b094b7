import { readAway } from "../../members/people/away.ts";
import { notify } from "../../messages/answers/notices.ts";
import type { AppContext } from "../app-context.ts";

/** The status of a member in Slack. `expiration`: its end in seconds since 1970; 0 without one. */
export interface SlackStatus {
  text: string;
  emoji: string;
  expiration: number;
}

/** Slack's own status of a vacation has this emoji. */
const vacation = ":palm_tree:";
const vacationWords = /\b(vacation|vacationing|holidays?|on leave|out of (the )?office|ooo)\b/i;
/** Milliseconds. An absence is at most so long. */
const longest = 30 * 24 * 60 * 60_000;

/**
 * Offers a member whose status in Slack says that they are on vacation to name a stand-in; sets nothing. One status is one offer, since a notice
 * of the same id is sent once.
 */
export async function offerAway(context: AppContext, slackUser: string, status: SlackStatus): Promise<void> {
  const { clock } = context;
  if (status.emoji !== vacation && !vacationWords.test(status.text)) return;
  const now = clock.now();
  if (await readAway(context, slackUser, now)) return;
  const ends = status.expiration * 1_000;
  if (ends > 0 && ends <= now) return;
  const until = ends > 0 && ends - now < longest ? { until: new Date(ends).toISOString() } : {};
  await notify(
    context,
    {
      to: { users: [slackUser] },
      text: ":palm_tree: Your status in Slack says that you are on vacation. Requests and alerts still notify you. Who is to be notified in your place?",
      steps: [{ label: "Set an absence…", command: "rackbell away", input: until, form: true }],
    },
    `away-offer:${slackUser}:${status.emoji}:${status.expiration}`,
  );
}
