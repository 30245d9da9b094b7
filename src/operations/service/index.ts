import { actions, run } from "./actions.ts";
import { backup, backups, restore } from "./backups.ts";
import { cancel, keep } from "./cancel.ts";
import { show } from "./card.ts";
import { list } from "./list.ts";
import { move } from "./move.ts";
import { optionAdd } from "./option-add.ts";
import { optionRemove } from "./option-remove.ts";
import { options, optionsAvailable } from "./options.ts";
import { optionsChange } from "./options-change.ts";
import { password } from "./password.ts";
import { power, reboot, restart, shutdown, start, stop } from "./power.ts";
import { reinstall } from "./reinstall.ts";
import { renew } from "./renew.ts";
import { stats } from "./stats.ts";
import { upgrade } from "./upgrade.ts";
import { upgradeCancel, upgradeShow } from "./upgrade-show.ts";
import { upgrades } from "./upgrades.ts";

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
