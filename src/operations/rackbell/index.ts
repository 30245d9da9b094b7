import { again } from "./again.ts";
import { agentList, agentNew, agentRemove, agentResume, agentsSwitch } from "./agents.ts";
import { alerts, alertsAdd, alertsChange, alertsMute, alertsRemove, alertsTest, alertsUnmute } from "./alerts.ts";
import { alertsLog, alertsReplay, alertsTry } from "./alerts-log.ts";
import { alertsMode } from "./alerts-mode.ts";
import { alertsLimits, alertsLook } from "./alerts-reading.ts";
import { attention } from "./attention.ts";
import { audit, auditPost, auditVerify } from "./audit.ts";
import { channelDefault } from "./channel.ts";
import { check, connect, disconnect } from "./connect.ts";
import { favourite, favouriteRemove, favourites, watch, watching, watchStop, watchUsage } from "./favourites.ts";
import { help } from "./help.ts";
import { link, unlink, whoami } from "./keys.ts";
import { window, windowList, windowRemove } from "./maintenance-window.ts";
import { members, membersUnlink } from "./members.ts";
import { passkeyList, passkeyLost, passkeyNew, passkeyRecover, passkeyRemove, passkeyStop } from "./passkeys.ts";
import { policy, policyAdd, policyAgree, policyDrop, policyRemove, policyTry } from "./policy.ts";
import { report, reportOff, reportPost, reportPreview } from "./report.ts";
import { approvals, approvalsChannel, approvalsGroup, scheduled } from "./requests.ts";
import { search } from "./search.ts";
import { status } from "./status.ts";

/** In the order of the help. */
export const rackbellOperations = [
  help,
  link,
  unlink,
  whoami,
  search,
  attention,
  favourites,
  favourite,
  favouriteRemove,
  watching,
  watch,
  watchUsage,
  watchStop,
  connect,
  check,
  disconnect,
  channelDefault,
  approvals,
  approvalsChannel,
  approvalsGroup,
  scheduled,
  window,
  windowList,
  windowRemove,
  alerts,
  alertsAdd,
  alertsChange,
  alertsMode,
  alertsTest,
  alertsTry,
  alertsMute,
  alertsUnmute,
  alertsLimits,
  alertsLook,
  alertsRemove,
  alertsLog,
  alertsReplay,
  report,
  reportPreview,
  reportPost,
  reportOff,
  audit,
  auditVerify,
  auditPost,
  members,
  membersUnlink,
  agentNew,
  agentList,
  agentRemove,
  agentResume,
  agentsSwitch,
  passkeyNew,
  passkeyList,
  passkeyRemove,
  passkeyLost,
  passkeyRecover,
  passkeyStop,
  policy,
  policyAdd,
  policyRemove,
  policyAgree,
  policyDrop,
  policyTry,
  again,
  status,
];
