import { newId } from "../wire/ids.ts";

export type Role = "owner" | "admin" | "member" | "guest" | "single-channel guest" | "stranger";

export interface User {
  id: string;
  name: string;
  real_name: string;
  team_id: string;
  tz: string;
  role: Role;
  deleted: boolean;
  is_bot: boolean;
  /** The status that others see beside the name. `expiration`: in seconds since 1970; 0 without an end. */
  status?: { text: string; emoji: string; expiration: number };
}

/** Slack's fields for people of each role. */
export const roleFlags: Record<Role, Record<string, boolean>> = {
  owner: { is_admin: true, is_owner: true, is_restricted: false, is_ultra_restricted: false, is_stranger: false },
  admin: { is_admin: true, is_owner: false, is_restricted: false, is_ultra_restricted: false, is_stranger: false },
  member: { is_admin: false, is_owner: false, is_restricted: false, is_ultra_restricted: false, is_stranger: false },
  guest: { is_admin: false, is_owner: false, is_restricted: true, is_ultra_restricted: false, is_stranger: false },
  "single-channel guest": {
    is_admin: false,
    is_owner: false,
    is_restricted: true,
    is_ultra_restricted: true,
    is_stranger: false,
  },
  stranger: { is_admin: false, is_owner: false, is_restricted: false, is_ultra_restricted: false, is_stranger: true },
};

interface UserSeed {
  real_name: string;
  role: Role;
  tz: string;
}

export const seedUsers: Record<string, UserSeed> = {
  ana: { real_name: "Ana Ruiz", role: "owner", tz: "Europe/Madrid" },
  ben: { real_name: "Ben Carter", role: "member", tz: "America/New_York" },
  caro: { real_name: "Caro Lindt", role: "member", tz: "Europe/Zurich" },
  dave: { real_name: "Dave Okoye", role: "member", tz: "Africa/Lagos" },
  gus: { real_name: "Gus Guest", role: "guest", tz: "Europe/Lisbon" },
  zed: { real_name: "Zed Partner", role: "stranger", tz: "Asia/Tokyo" },
};

interface ChannelSeed {
  kind: "public" | "private";
  shared: boolean;
  bot: boolean;
  members: string[];
}

const staff = ["ana", "ben", "caro", "dave"];

export const seedChannels: Record<string, ChannelSeed> = {
  ops: { kind: "public", shared: false, bot: true, members: [...staff, "gus"] },
  general: { kind: "public", shared: false, bot: true, members: [...staff, "gus"] },
  random: { kind: "public", shared: false, bot: false, members: staff },
  vault: { kind: "private", shared: false, bot: false, members: ["ana", "ben", "caro"] },
  "shared-partner": { kind: "public", shared: true, bot: true, members: [...staff, "zed"] },
};

/** A user of this workspace, or of another organisation if the role is `stranger`. */
export function newUser(name: string, part: UserSeed, homeTeam: string, otherTeam: string): User {
  const team_id = part.role === "stranger" ? otherTeam : homeTeam;
  return { id: newId("U"), name, team_id, deleted: false, is_bot: false, ...part };
}
