import { expect, test } from "vitest";
import { checkAdminRight } from "../../src/messages/admins.ts";
import { noticeMessages, noticeSubject } from "../../src/messages/answers/notices.ts";
import { notificationTimer } from "../../src/messages/outbox.ts";
import { operations } from "../../src/operations/index.ts";
import type { Store } from "../../src/storage/store.ts";
import { openRooms } from "./rooms.ts";

const lane = notificationTimer(noticeSubject, "");

/** The app dies where the key would be erased. `notices`: the notices whose messages are due. */
function dyingAtErasure(notices: string[]): (store: Store) => Store {
  return (store) => ({
    ...store,
    async transact(transaction) {
      const isErasure = transaction.records?.some(({ namespace, text }) => namespace === "identities" && !text);
      if (isErasure) throw new Error("The app dies.");
      for (const { id } of transaction.timers ?? []) if (id.startsWith(lane)) notices.push(id.slice(lane.length));
      return store.transact(transaction);
    },
  });
}

test.each([
  ["themselves", "rackbell unlink", "ana", () => ({ key: "all" })],
  ["another admin", "rackbell members unlink", "caro", (ana: string) => ({ member: `<@${ana}>` })],
] as const)(
  "a crash before an admin's key is erased, by %s, leaves the notice to the other admins, since nothing would notify them after it",
  async (_, command, by, inputOf) => {
    const notices: string[] = [];
    const { context, slack, personOf, clock } = await openRooms({ around: dyingAtErasure(notices) });
    slack.setRole("caro", "admin");
    for (const name of ["ana", "caro"] as const) await checkAdminRight(context, personOf(name));
    const operation = operations.find((one) => one.command === command);
    if (operation?.api !== "app") throw new Error("There is no such command");
    const actor = { ...personOf(by), keyLabel: by, project: null };
    const input = inputOf(personOf("ana").slackUser);
    const call = { context, actor, channel: null, input, now: clock.now() };
    await expect(operation.run(call)).rejects.toThrow("The app dies.");
    const source = noticeMessages(context);
    const messages = await Promise.all(notices.map((id) => source.notifications(id, new Set())));
    expect(messages.flat().map((message) => message?.slot)).toContain(
      personOf(by === "ana" ? "caro" : "ana").slackUser,
    );
    expect(JSON.stringify(messages)).toContain("erased");
    expect(await context.identities.links(personOf("ana").member)).toMatchObject({ customer: { keyLabel: "ana" } });
  },
);
