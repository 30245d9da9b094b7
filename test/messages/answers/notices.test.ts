import { expect, test } from "vitest";
import { noticeChange, noticeMessages, noticeSubject, notify } from "../../../src/messages/answers/notices.ts";
import { notificationTimer } from "../../../src/messages/outbox.ts";
import type { Store } from "../../../src/storage/store.ts";
import { openRooms } from "../../requests/rooms.ts";

/** The rooms with Ana as their admin, and the notices whose messages became due, by id. */
async function opened() {
  const due: string[] = [];
  const lane = notificationTimer(noticeSubject, "");
  const around = (store: Store): Store => ({
    ...store,
    async transact(step) {
      const done = await store.transact(step);
      for (const { id } of (done && step.timers) || []) if (id.startsWith(lane)) due.push(id.slice(lane.length));
      return done;
    },
  });
  const rooms = await openRooms({ around });
  const source = noticeMessages(rooms.context);
  const readersOf = async (id: string) =>
    (await source.notifications(id, new Set()))?.map(({ to, message }) => [
      to.in === "direct" ? to.user : to.in,
      message.text,
    ]);
  return { ...rooms, due, readersOf };
}

test("an edit reaches those who have the notice, also if others are admins by then", async () => {
  const { context, slack, personOf, due, readersOf } = await opened();
  const [ana, caro] = [personOf("ana").slackUser, personOf("caro").slackUser];
  await notify(context, { to: { admins: [] }, text: "The channel refuses alerts." }, "a");
  expect(await readersOf("a")).toEqual([[ana, "The channel refuses alerts."]]);
  slack.setRole("caro", "admin");
  await notify(context, { to: { admins: [] }, text: "It takes them again." }, "a");
  expect(await readersOf("a")).toEqual([[ana, "It takes them again."]]);
  await notify(context, { to: { admins: [] }, text: "Another." }, "b");
  expect((await readersOf("b"))?.map(([user]) => user).toSorted()).toEqual([ana, caro].toSorted());
  expect(due).toEqual(["a", "a", "b"]);
});

test("a notice to the admins waits until Slack says who they are", async () => {
  const { context, slack, personOf, readersOf } = await opened();
  slack.setRole("ana", "member");
  await notify(context, { to: { admins: [] }, text: "Nobody." }, "a");
  await expect(readersOf("a")).rejects.toThrow("No admin is known");
  slack.setRole("ana", "admin");
  expect(await readersOf("a")).toEqual([[personOf("ana").slackUser, "Nobody."]]);
});

test("a notice is sent if the change that it is about was stored, and only then", async () => {
  const { context, due, readersOf } = await opened();
  const notice = { to: { users: ["U1", "U2", "U1"] }, text: "The passkey is gone." };
  const first = await noticeChange(context, notice, "a");
  const late = await noticeChange(context, notice, "a");
  expect(await context.store.transact(first)).toBe(true);
  expect(await context.store.transact(late)).toBe(false);
  expect(due).toEqual(["a"]);
  expect((await readersOf("a"))?.map(([user]) => user)).toEqual(["U1", "U2"]);
});
