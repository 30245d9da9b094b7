import { expect, test } from "vitest";
import type { SlackUser } from "../../src/members/slack-user.ts";
import { reachable } from "../../src/requests/audience.ts";
import { customerLink } from "../members/identities/links.ts";

test("members who could approve are asked about at one time, and no more of them than are mentioned", async () => {
  const asked: string[] = [];
  const answers = Promise.withResolvers<void>();
  async function person(id: string): Promise<SlackUser> {
    asked.push(id);
    await answers.promise;
    return { id, name: id, admin: false, outsider: null, deleted: id === "U2", zone: "UTC" };
  }
  const users = ["U1", "U2", "U3", "U4", "U5", "U6", "U7"];
  const links = users.map((slackUser) => {
    const member = `T:${slackUser}`;
    return { member, customer: customerLink({ member, slackUser }), reseller: null };
  });
  const found = reachable({ people: { person } }, links.toReversed());
  expect(asked).toEqual(["U1", "U2", "U3", "U4", "U5"]);
  answers.resolve();
  expect((await found).map(({ slackUser }) => slackUser)).toEqual(["U1", "U3", "U4", "U5", "U6"]);
  expect(asked).not.toContain("U7");
});
