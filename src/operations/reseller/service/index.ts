import { backup, backupDelete, restore } from "./backup-changes.ts";
import { backups } from "./backups.ts";
import { console, session } from "./console.ts";
import { consoleCast, consoleCastRevoke, consoleCasts } from "./console-cast.ts";
import { list } from "./list.ts";
import { password } from "./password.ts";
import { restart, shutdown, start, stop } from "./power.ts";
import { health, network, templates } from "./reads.ts";
import { reinstall } from "./reinstall.ts";
import { show } from "./show.ts";
import { stats } from "./stats.ts";
import { suspend, unsuspend } from "./suspend.ts";
import { terminate } from "./terminate.ts";
import { traffic } from "./traffic.ts";

/** What a partner can do with the services that it sells on, in the order of the help. */
export const serviceOperations = [
  list,
  show,
  start,
  stop,
  restart,
  shutdown,
  suspend,
  unsuspend,
  stats,
  traffic,
  network,
  health,
  consoleCast,
  consoleCasts,
  consoleCastRevoke,
  console,
  session,
  templates,
  reinstall,
  password,
  backups,
  backup,
  restore,
  backupDelete,
  terminate,
];
