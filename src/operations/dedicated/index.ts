import { off, on, restart } from "./power.ts";
import { password, reinstall } from "./reinstall.ts";
import { images, ips, list, provisioning, show, stats, status, traffic } from "./show.ts";

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
