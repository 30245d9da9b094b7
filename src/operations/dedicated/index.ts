import { list } from "./list.ts";
import { password } from "./password.ts";
import { off, on, restart } from "./power.ts";
import { images, ips, provisioning, stats, status, traffic } from "./reads.ts";
import { reinstall } from "./reinstall.ts";
import { show } from "./show.ts";

/** In the order of the help. */
export const dedicatedOperations = [
  list,
  show,
  on,
  off,
  restart,
  status,
  provisioning,
  ips,
  images,
  stats,
  traffic,
  reinstall,
  password,
];
