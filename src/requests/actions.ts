/** The ids of the buttons. Slack sends them back from messages of any age, so that they never change. */
export const pressAction = "request:press";
export const detailsAction = "request:details";
export const pressSecondAction = "request:press-second";
export const backupFirstAction = "request:copy";
export const chooseBackupAction = "request:choose-backup";
export const leaveBackupAction = "request:leave-backup";
export const takeAction = "request:take";
export const denyAction = "request:deny";
export const deferAction = "request:defer";
export const narrowAction = "request:narrow";
export const withdrawAction = "request:withdraw";
export const overrideAction = "request:override";
export const reviewAction = "request:review";
export const rescheduleAction = "request:move";
export const askAgainAction = "request:ask-again";
export const addAction = "request:add";
export const countAction = "request:count";
export const stopAction = "request:stop";
export const listAction = "request:list";
export const againAction = "request:again";
export const restAction = "request:rest";
export const wayBackAction = "request:way-back";

/** The same presses where they need a passkey: a modal shows the link to the page. */
export const passkeyActions = {
  [pressAction]: "request:passkey",
  [pressSecondAction]: "request:passkey-second",
  [backupFirstAction]: "request:passkey-copy",
} as const;

/**
 * Every button of a request: each needs a handler. True if its value names the request that the press decides. If such a press is
 * lost, its member gets the state of the request.
 */
export const requestActions = {
  [pressAction]: true,
  [passkeyActions[pressAction]]: true,
  [passkeyActions[pressSecondAction]]: true,
  [passkeyActions[backupFirstAction]]: true,
  [pressSecondAction]: true,
  [backupFirstAction]: true,
  [chooseBackupAction]: true,
  [leaveBackupAction]: true,
  [withdrawAction]: true,
  [reviewAction]: true,
  [denyAction]: true,
  [deferAction]: true,
  [narrowAction]: true,
  [overrideAction]: true,
  [rescheduleAction]: true,
  [detailsAction]: false,
  [takeAction]: false,
  [askAgainAction]: false,
  [addAction]: false,
  // Its value has the number of targets beside the id.
  [countAction]: false,
  [stopAction]: false,
  [listAction]: false,
  [againAction]: false,
  [restAction]: false,
  [wayBackAction]: false,
} as const satisfies Record<string, boolean>;
export type RequestAction = keyof typeof requestActions;
