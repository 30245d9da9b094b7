import { again } from "./again.ts";
import { alerts, alertsAdd, alertsMute, alertsRemove } from "./alerts.ts";
import { alertsChange, alertsTest } from "./alerts-change.ts";
import { alertsLog, alertsReplay } from "./alerts-log.ts";
import { alertsMode } from "./alerts-manner.ts";
import { alertsLimits, alertsLook } from "./alerts-reading.ts";
import { alertsTry } from "./alerts-try.ts";
import { approvals, approvalsChannel, approvalsGroup } from "./approvals.ts";
import { audit } from "./audit.ts";
import { auditPost } from "./audit-post.ts";
import { auditVerify } from "./audit-verify.ts";
import { channelDefault } from "./channel.ts";
import { connect } from "./connect.ts";
import { check } from "./connect-check.ts";
import { disconnect } from "./disconnect.ts";
import { favourite, favouriteRemove, favourites } from "./favourites.ts";
import { help } from "./help.ts";
import { link } from "./link.ts";
import { window, windowList, windowRemove } from "./maintenance-window.ts";
import { members, membersUnlink } from "./members.ts";
import { policy, policyAdd, policyAgree, policyDrop, policyRemove, policyTry } from "./policy.ts";
import { report, reportOff, reportPost, reportPreview } from "./report.ts";
import { scheduled } from "./scheduled.ts";
import { search } from "./search.ts";
import { status } from "./status.ts";
import { unlink } from "./unlink.ts";
import { watch, watching, watchStop, watchUsage } from "./watch.ts";
import { whoami } from "./whoami.ts";

/** In the order of the help. */
export const rackbellOperations = [
  help,
  link,
  unlink,
  whoami,
  search,
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
  policy,
  policyAdd,
  policyRemove,
  policyAgree,
  policyDrop,
  policyTry,
  again,
  status,
];
