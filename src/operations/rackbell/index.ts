import { again } from "./again.ts";
import { agentNew, agentRemove, agents } from "./agents.ts";
import { alerts, alertsMute } from "./alerts.ts";
import { alertsLog } from "./alerts-log.ts";
import { alertsSet, alertsStop } from "./alerts-set.ts";
import { attention } from "./attention.ts";
import { audit, auditPost, auditVerify } from "./audit.ts";
import { away } from "./away.ts";
import { channelDefault } from "./channel.ts";
import { check, connect, disconnect } from "./connect.ts";
import { star, watch } from "./favourites.ts";
import { help } from "./help.ts";
import { link, unlink, whoami } from "./keys.ts";
import { window } from "./maintenance-window.ts";
import { members, membersUnlink } from "./members.ts";
import { oncall } from "./oncall.ts";
import { passkeyRecover, passkeyStop, passkeys } from "./passkeys.ts";
import { policy, policyDrop, policyImport, policyRemove, policySet } from "./policy.ts";
import { protect } from "./protect.ts";
import { report } from "./report.ts";
import { approvals, scheduled } from "./requests.ts";
import { save, saved } from "./saved.ts";
import { search } from "./search.ts";
import { settings } from "./settings.ts";
import { setup } from "./setup.ts";
import { status } from "./status.ts";

/** In the order of the help. */
export const rackbellOperations = [
  help,
  link,
  unlink,
  whoami,
  search,
  attention,
  star,
  watch,
  setup,
  connect,
  check,
  disconnect,
  channelDefault,
  approvals,
  away,
  oncall,
  scheduled,
  window,
  protect,
  alerts,
  alertsSet,
  alertsStop,
  alertsMute,
  alertsLog,
  report,
  settings,
  audit,
  auditVerify,
  auditPost,
  members,
  membersUnlink,
  agents,
  agentNew,
  agentRemove,
  passkeys,
  passkeyRecover,
  passkeyStop,
  policy,
  policySet,
  policyRemove,
  policyImport,
  policyDrop,
  again,
  saved,
  save,
  status,
];
