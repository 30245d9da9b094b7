/** The ids of the buttons. Slack sends them back from messages of any age, so that they never change. */
export const pressAction = "request:press";
export const detailsAction = "request:details";
export const pressSecondAction = "request:press-second";
export const backupFirstAction = "request:copy";
export const takeAction = "request:take";
export const denyAction = "request:deny";
export const withdrawAction = "request:withdraw";
export const overrideAction = "request:glass";
export const reviewAction = "request:review";
export const rescheduleAction = "request:move";
export const askAgainAction = "request:ask-again";
export const countAction = "request:count";
export const stopAction = "request:stop";
export const listAction = "request:list";
export const againAction = "request:again";
export const restAction = "request:rest";
export const wayBackAction = "request:way-back";

/** The same presses where they take a passkey: a modal shows the link to the page. */
export const passkeyActions = {
  [pressAction]: "request:passkey",
  [pressSecondAction]: "request:passkey-second",
  [backupFirstAction]: "request:passkey-copy",
} as const;
