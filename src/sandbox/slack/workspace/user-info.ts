import type { Json } from "../wire/json.ts";
import { roleFlags, type User } from "./users.ts";
import type { Workspace } from "./workspace.ts";

/** A person as users.info and the user_change event show them. */
export function userInfo(workspace: Workspace, user: User): Json {
  return {
    id: user.id,
    team_id: user.team_id,
    name: user.name,
    deleted: user.deleted,
    real_name: user.real_name,
    tz: user.tz,
    tz_offset: offsetOf(user.tz, workspace.clock.now()),
    profile: {
      real_name: user.real_name,
      display_name: user.name,
      team: user.team_id,
      status_text: user.status?.text ?? "",
      status_emoji: user.status?.emoji ?? "",
      status_expiration: user.status?.expiration ?? 0,
    },
    ...roleFlags[user.role],
    is_primary_owner: user.role === "owner",
    is_bot: user.is_bot,
    is_app_user: false,
    updated: Math.floor(workspace.clock.now() / 1_000),
  };
}

/** By time zone: to make one takes longer than all the rest of an answer. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Seconds that a time zone is ahead of UTC at a moment. */
function offsetOf(timeZone: string, at: number): number {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  formats.set(timeZone, format);
  const parts = format.formatToParts(at);
  const name = parts.find((part) => part.type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60);
}
