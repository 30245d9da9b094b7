import { approvals, approvalsChannel, approvalsGroup } from "./approvals.ts";
import { audit } from "./audit.ts";
import { help } from "./help.ts";
import { link } from "./link.ts";
import { status } from "./status.ts";
import { unlink } from "./unlink.ts";
import { whoami } from "./whoami.ts";

/** What a member does with Rackbell itself. */
export const rackbellOperations = [
  help,
  link,
  unlink,
  whoami,
  approvals,
  approvalsChannel,
  approvalsGroup,
  audit,
  status,
];
