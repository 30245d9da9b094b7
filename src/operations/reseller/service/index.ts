import { backup, backupDelete, backups, restore } from "./backups.ts";
import { capture } from "./capture.ts";
import { console, consoleCast, consoleCastRevoke, consoleCasts, session } from "./console.ts";
import { restart, start, stop, suspend, terminate, unsuspend } from "./lifecycle.ts";
import { health, network, rdns, templates, transit } from "./network.ts";
import { optionRemove, options } from "./options.ts";
import { optionsSet } from "./options-set.ts";
import { upgrade, upgrades } from "./package.ts";
import { provider, run } from "./provider.ts";
import { password, reinstall } from "./reinstall.ts";
import { rescue, sshkeyAdd, sshkeyDelete, sshkeys, unrescue } from "./server.ts";
import { list, show } from "./show.ts";
import { stats, traffic } from "./stats.ts";

/** Operations on resold services, in the order of the guide. */
export const serviceOperations = [
  list,
  show,
  start,
  stop,
  restart,
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
