import { type AdminsApp, adminsWithSay } from "../messages/admins.ts";
import { type NoticeChange, noticeChange } from "../messages/answers/notices.ts";

export async function noticeToMemberAndAdmins(app: AdminsApp, slackUser: string, text: string): Promise<NoticeChange> {
  return noticeChange(app, { to: { users: [slackUser, ...(await adminsWithSay(app))] }, text });
}

/** Nothing but the linked key proves a first passkey, so that its member and the admins hear of it. */
export function noticeOfFirstPasskey(app: AdminsApp, slackUser: string): Promise<NoticeChange> {
  return noticeToMemberAndAdmins(
    app,
    slackUser,
    `:key: <@${slackUser}> made their first passkey, with the key that they linked. If that was somebody else, revoke the key in the panel.`,
  );
}
