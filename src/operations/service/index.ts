import { backup, backups, restore } from "./backups.ts";
import { cancel, keep } from "./cancel.ts";
import { move } from "./move.ts";
import { optionAdd, optionRemove, options, optionsAvailable } from "./options.ts";
import { optionsChange } from "./options-change.ts";
import { power, reboot, restart, shutdown, start, stop } from "./power.ts";
import { actions, run } from "./provider.ts";
import { password, reinstall } from "./reinstall.ts";
import { renew } from "./renew.ts";
import { list, show, stats } from "./show.ts";
import { upgrade, upgradeCancel, upgradeShow } from "./upgrade.ts";
import { upgrades } from "./upgrade-offers.ts";

/** In the order of the help. */
export const serviceOperations = [
  list,
  show,
  actions,
  run,
  stats,
  start,
  stop,
  shutdown,
  restart,
  reboot,
  power,
  reinstall,
  password,
  backups,
  backup,
  restore,
  options,
  optionsAvailable,
  optionAdd,
  optionRemove,
  optionsChange,
  upgrades,
  upgrade,
  upgradeShow,
  upgradeCancel,
  renew,
  move,
  cancel,
  keep,
];
