import { rdns, transit } from "./addressing.ts";
import { backup, backupDelete, restore } from "./backup-changes.ts";
import { backups } from "./backups.ts";
import { capture } from "./capture.ts";
import { console, session } from "./console.ts";
import { consoleCast, consoleCastRevoke, consoleCasts } from "./console-cast.ts";
import { list } from "./list.ts";
import { optionRemove } from "./option-remove.ts";
import { options } from "./options.ts";
import { optionsSet } from "./options-set.ts";
import { password } from "./password.ts";
import { restart, shutdown, start, stop } from "./power.ts";
import { provider, run } from "./provider.ts";
import { health, network, templates } from "./reads.ts";
import { reinstall } from "./reinstall.ts";
import { rescue, unrescue } from "./rescue.ts";
import { show } from "./show.ts";
import { sshkeyAdd, sshkeyDelete, sshkeys } from "./sshkeys.ts";
import { stats } from "./stats.ts";
import { suspend, unsuspend } from "./suspend.ts";
import { terminate } from "./terminate.ts";
import { traffic } from "./traffic.ts";
import { upgrade, upgrades } from "./upgrade.ts";

/** Operations on resold services, in the order of the guide. */
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
  capture,
  upgrades,
  upgrade,
  options,
  optionsSet,
  optionRemove,
  sshkeys,
  sshkeyAdd,
  sshkeyDelete,
  rdns,
  rescue,
  unrescue,
  transit,
  provider,
  run,
  terminate,
];
