import { untakenAlerts } from "../../alerts/open.ts";
import { readRouting } from "../../alerts/subscriptions.ts";
import { openTo } from "../../requests/lists.ts";
import type { MemberRef } from "../../requests/request.ts";
import { readsChannel } from "../../requests/visibility.ts";
import { moment } from "../../views/format.ts";
import { count, listing } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";

/** So many requests are counted. */
const mostCounted = 20;

/** A sentence about the alerts that nobody has taken, in the channels that the reader can read; empty without any. */
export async function readAlertWords(context: AppContext, slackUser: string): Promise<string[]> {
  const { subscriptions } = await readRouting(context);
  const channels = [...new Set(subscriptions.map(({ channel }) => channel))];
  const parts = await Promise.all(
    channels.map(async (channel) => {
      const found = await untakenAlerts(context, channel);
      if (!found || !(await readsChannel(context.requests, channel, { slackUser }))) return [];
      const { amount, since, more } = found;
      return [`${more ? "at least " : ""}${count(amount, "alert")} in <#${channel}> (since ${moment(since)})`];
    }),
  );
  const all = parts.flat();
  return all.length > 0 ? [`:rotating_light: Nobody has taken ${listing(all)}.`] : [];
}

/** A sentence about the requests that wait for a decision and that the reader may see; empty without any. Calls no API. */
export async function readRequestWords(context: AppContext, viewer: MemberRef): Promise<string[]> {
  const { shown, next } = await openTo(context.requests, viewer, { limit: mostCounted, reading: false });
  if (shown.length === 0) return [];
  const amount = `${next === undefined ? "" : "At least "}${count(shown.length, "request")}`;
  return [`:hourglass: ${amount} ${shown.length === 1 ? "waits" : "wait"} for a decision: \`/rackbell approvals\`.`];
}
