import { randomBytes } from "node:crypto";
import { seededId } from "../world/ids.ts";

export interface GameFile {
  content: Buffer;
  mode: string;
  modified: number;
}

export interface GameBackup {
  id: string;
  name: string;
  locked: boolean;
  size_bytes: number;
  status: "running" | "complete" | "failed";
  created_at: string;
}

export interface Schedule {
  id: number;
  name: string;
  cron: string;
  action: string;
  enabled: boolean;
  last_run_at: string | null;
}

export interface Mod {
  id: string;
  name: string;
  version: string;
  source: string;
}

/** The state of a game server, as its module stores it. */
export interface GameServer {
  vars: Record<string, string>;
  /** By path. A folder ends with a slash. */
  files: Map<string, GameFile>;
  sftpPassword: string;
  /** Newest first. */
  backups: GameBackup[];
  schedules: Schedule[];
  mods: Mod[];
}

export const mostGameBackups = 3;
export const mostSchedules = 5;

export function gameServerOf(partner: { games: Map<string, GameServer> }, serviceId: string, now: number): GameServer {
  const known = partner.games.get(serviceId);
  if (known !== undefined) return known;
  const fresh = newGameServer(serviceId, now);
  partner.games.set(serviceId, fresh);
  return fresh;
}

function newGameServer(serviceId: string, now: number): GameServer {
  const file = (text: string): GameFile => ({ content: Buffer.from(text), mode: "0644", modified: now - 86_400_000 });
  return {
    vars: { MOTD: "Welcome", MAX_PLAYERS: "20", RCON_PASSWORD: randomBytes(8).toString("hex") },
    files: new Map([
      ["/config/", file("")],
      ["/config/game.yml", file("difficulty: normal\nname: <!channel> & friends\n")],
      ["/server.properties", file("motd=Welcome\nmax-players=20\n")],
      ["/world/", file("")],
      ["/world/level.dat", { ...file(""), content: Buffer.from([0, 255, 1, 254, 10]) }],
    ]),
    sftpPassword: randomBytes(12).toString("hex"),
    backups: [
      {
        id: seededId("game-backup", serviceId),
        name: "before-the-patch",
        locked: true,
        size_bytes: 48_000_000,
        status: "complete",
        created_at: new Date(now - 3 * 86_400_000).toISOString(),
      },
    ],
    schedules: [
      { id: 1, name: "Nightly restart", cron: "0 4 * * *", action: "restart", enabled: true, last_run_at: null },
    ],
    mods: [{ id: seededId("game-mod", serviceId), name: "Fair Weather", version: "1.4.2", source: "practice-mods" }],
  };
}
