import type { People } from "../../chat/people.ts";
import { isZone } from "../../operation/zone.ts";

/** The time zone that a member chose in Slack, by its IANA name; UTC where it is not known here. */
export async function zoneOf(people: People, slackUser: string): Promise<string> {
  const { zone } = await people.person(slackUser);
  return isZone(zone) ? zone : "UTC";
}
