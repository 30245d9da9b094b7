import { cancel, keep } from "./cancel.ts";
import { capture } from "./capture.ts";
import { move } from "./move.ts";
import { power, reboot, start, stop } from "./power.ts";
import { password, reinstall } from "./reinstall.ts";
import { images, ips, list, show, stats } from "./show.ts";
import { revert, snapshot, snapshotDelete, snapshots } from "./snapshots.ts";

/** In the order of the help. */
export const vpsOperations = [
  list,
  show,
  start,
  stop,
  reboot,
  power,
  snapshots,
  snapshot,
  snapshotDelete,
  revert,
  reinstall,
  password,
  ips,
  stats,
  images,
  capture,
  move,
  cancel,
  keep,
];
