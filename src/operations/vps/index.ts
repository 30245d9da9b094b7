import { cancel, keep } from "./cancel.ts";
import { capture } from "./capture.ts";
import { list } from "./list.ts";
import { move } from "./move.ts";
import { password } from "./password.ts";
import { power, reboot, shutdown, start, stop } from "./power.ts";
import { images, ips, stats } from "./reads.ts";
import { reinstall } from "./reinstall.ts";
import { revert } from "./revert.ts";
import { show } from "./show.ts";
import { snapshot } from "./snapshot.ts";
import { snapshotDelete } from "./snapshot-delete.ts";
import { snapshots } from "./snapshots.ts";

/** In the order of the help. */
export const vpsOperations = [
  list,
  show,
  start,
  stop,
  shutdown,
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
