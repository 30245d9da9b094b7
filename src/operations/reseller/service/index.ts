import { list } from "./list.ts";
import { restart, shutdown, start, stop } from "./power.ts";
import { health, network, templates } from "./reads.ts";
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
  templates,
  terminate,
];
