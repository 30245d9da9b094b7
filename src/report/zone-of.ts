import type { People } from "../chat/people.ts";
import { isZone } from "../operation/zone.ts";

/** The IANA name of the time zone that a member chose in Slack; UTC where this runtime does not know it. */
export async function zoneOf(people: People, slackUser: string): Promise<string> {
  const { zone } = await people.person(slackUser);
  return isZone(zone) ? zone : "UTC";
}
