import { describe, expect, onTestFinished, test } from "vitest";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { createPracticeSlack, type PracticeSlack } from "../../../src/sandbox/slack/server.ts";
import { createClient, failure, json, peopleFor, startSlack, token } from "./callers.ts";

async function world({ scopes, readsQuiet = true }: { scopes?: string[]; readsQuiet?: boolean } = {}) {
  const clock = createSandboxClock();
  const slack = await createPracticeSlack({ clock, ...(scopes ? { scopes } : {}) });
  onTestFinished(() => slack.close());
  const client = createClient({ apiUrl: slack.apiUrl, clock, token: slack.botToken });
  const people = await peopleFor(client, { clock, team: slack.teamId, readsQuiet });
  const idOf = (channel: string) => slack.channels[channel]?.id ?? "";
  return { clock, slack, people, idOf };
}

/** The people of a Slack that gives the same answer to everything. */
async function peopleAnswered(answer: object) {
  const clock = createSandboxClock();
  const slack = await startSlack(json(200, { ok: true, ...answer }));
  const client = createClient({ apiUrl: slack.apiUrl, clock, token });
  return peopleFor(client, { clock, team: "T1" });
}

describe("a field that Slack leaves out of its answer is not read as none", () => {
  const user = { id: "U1", team_id: "T1", deleted: false, is_restricted: false, is_ultra_restricted: false };

  test("of a member: with all that says who they are they are one", async () => {
    expect(await (await peopleAnswered({ user })).person("U1")).toMatchObject({ outsider: null, deleted: false });
  });

  test.each(["team_id", "deleted", "is_restricted", "is_ultra_restricted"])("of a person: %s", async (flag) => {
    const people = await peopleAnswered({ user: { ...user, [flag]: undefined } });
    expect(await failure(people.person("U1"))).toMatchObject({ name: "SlackUnanswered" });
  });

  test("of a person: everything", async () => {
    expect(await failure((await peopleAnswered({})).person("U1"))).toMatchObject({ name: "SlackUnanswered" });
  });

  test("of a channel: who reads it", async () => {
    const people = await peopleAnswered({ channel: { id: "C1", is_member: true, is_private: false } });
    expect(await people.channel("C1")).toMatchObject({ shared: true, known: false });
  });

  test("of a channel: its members", async () => {
    expect(await (await peopleAnswered({})).members("C1")).toBeNull();
  });

  test.each([{}, { usergroups: [{ id: "S1", handle: "ops" }] }])("of user groups: %j", async (answer) => {
    expect(await (await peopleAnswered(answer)).groups()).toEqual({ unread: "no answer" });
  });
});

type Fault = (slack: PracticeSlack, method: string) => void;

const faults: [what: string, set: Fault][] = [
  ["a 500", ({ faults }, method) => faults.failHttp(method, 500)],
  ["a reset", ({ faults }, method) => faults.reset(method)],
  ["internal_error", ({ faults }, method) => faults.fail(method, "internal_error")],
  ["fatal_error", ({ faults }, method) => faults.fail(method, "fatal_error")],
  ["a 429", ({ faults }, method) => faults.rateLimit(method, 30)],
  ["missing_scope", ({ faults }, method) => faults.fail(method, "missing_scope")],
  ["invalid_auth", ({ faults }, method) => faults.fail(method, "invalid_auth")],
];

describe("a channel", () => {
  test.each(faults)("of which Slack answers %s counts as shared, and is asked about anew", async (_, set) => {
    const { slack, people, idOf } = await world();
    set(slack, "conversations.info");
    expect(await people.channel(idOf("ops"))).toMatchObject({ shared: true, member: false, known: false });
    expect(await people.channel(idOf("ops"))).toMatchObject({ shared: false, member: true, known: true });
  });

  test("of which Slack says nothing counts as shared when the time is up", async () => {
    const { clock, slack, people, idOf } = await world();
    const release = slack.faults.hangApi("conversations.info");
    const reading = people.channel(idOf("ops"));
    await slack.until(() => slack.calls("conversations.info").length > 0);
    clock.skip(10_000);
    expect(await reading).toMatchObject({ shared: true, known: false });
    release();
  });

  test("that another organisation reads counts as shared", async () => {
    const { people, idOf } = await world();
    expect(await people.channel(idOf("shared-partner"))).toMatchObject({ shared: true, known: true });
  });

  test("to which another organisation is invited counts as shared before it has accepted", async () => {
    const clock = createSandboxClock();
    const channel = { id: "C1", is_member: true, is_ext_shared: false, is_pending_ext_shared: true };
    const slack = await startSlack(json(200, { ok: true, channel }));
    const client = createClient({ apiUrl: slack.apiUrl, clock, token });
    const people = await peopleFor(client, { clock, team: "T1" });
    expect(await people.channel("C1")).toMatchObject({ shared: true, known: true });
  });

  test("that Slack does not show is one that the app is not in", async () => {
    const { people, idOf } = await world();
    expect(await people.channel(idOf("vault"))).toMatchObject({ shared: false, member: false, known: true });
  });

  test("is asked about once a minute", async () => {
    const { clock, slack, people, idOf } = await world();
    await people.channel(idOf("ops"));
    clock.adjust(-60 * 60_000);
    await people.channel(idOf("ops"));
    expect(slack.calls("conversations.info")).toHaveLength(1);
    clock.skip(60_001);
    await people.channel(idOf("ops"));
    expect(slack.calls("conversations.info")).toHaveLength(2);
  });
});

describe("a person", () => {
  test.each(faults)("of whom Slack answers %s is nobody of whom anything is known", async (_, set) => {
    const { slack, people } = await world();
    const { id } = slack.user("ana");
    set(slack, "users.info");
    const error = await failure(people.person(id));
    expect(["SlackRefused", "SlackUnanswered"]).toContain(error instanceof Error ? error.name : "");
    expect(await people.person(id)).toMatchObject({ id, outsider: null, deleted: false });
  });

  test("is read anew when the caller wants that, and a failure then is not hidden by the former answer", async () => {
    const { slack, people } = await world();
    const { id } = slack.user("ben");
    await people.person(id);
    slack.deactivate("ben");
    expect(await people.person(id)).toMatchObject({ deleted: false });
    expect(await people.person(id, { fresh: true })).toMatchObject({ deleted: true });
    expect(await people.person(id)).toMatchObject({ deleted: true });
    slack.faults.fail("users.info", "internal_error");
    expect(await failure(people.person(id, { fresh: true }))).toMatchObject({ name: "SlackUnanswered" });
  });

  test("is read again if they changed while Slack was being asked", async () => {
    const { slack, people } = await world();
    const { id } = slack.user("ben");
    const release = slack.faults.hangApi("users.info", 1);
    const reading = people.person(id);
    await slack.until(() => slack.calls("users.info").length === 1);
    await people.forget(id);
    release();
    await reading;
    await people.person(id);
    expect(slack.calls("users.info")).toHaveLength(2);
  });

  test("of another workspace of the same organisation belongs here; of another organisation does not", async () => {
    const clock = createSandboxClock();
    const flags = { deleted: false, is_restricted: false, is_ultra_restricted: false };
    const user = { id: "U1", team_id: "T2", enterprise_user: { enterprise_id: "E1" }, ...flags };
    const slack = await startSlack(json(200, { ok: true, user }));
    const client = createClient({ apiUrl: slack.apiUrl, clock, token });
    const outsiderOf = async (enterprise: string | null) =>
      (await (await peopleFor(client, { clock, team: "T1", enterprise })).person("U1")).outsider;
    expect(await outsiderOf("E1")).toBeNull();
    expect(await outsiderOf("E2")).toBe("other organisation");
    expect(await outsiderOf(null)).toBe("other organisation");
  });
});

describe("Do Not Disturb", () => {
  test("is known while it lasts, and again at the same hours of the next day", async () => {
    const { clock, slack, people } = await world({ scopes: ["dnd:read"] });
    const [ana, caro] = [slack.user("ana").id, slack.user("caro").id];
    const until = clock.now() + 3_600_000;
    slack.setQuiet("caro", until);
    expect([...(await people.quiet([ana, caro, caro])).keys()]).toEqual([caro]);
    clock.skip(3_700_000);
    expect((await people.quiet([ana, caro])).size).toBe(0);
    clock.skip(23 * 3_600_000);
    expect((await people.quiet([ana, caro])).size).toBe(1);
  });

  test.each(faults)("of which Slack answers %s silences nobody, and is asked about anew", async (_, set) => {
    const { clock, slack, people } = await world({ scopes: ["dnd:read"] });
    const caro = slack.user("caro").id;
    slack.setQuiet("caro", clock.now() + 3_600_000);
    set(slack, "dnd.teamInfo");
    expect((await people.quiet([caro])).size).toBe(0);
    expect((await people.quiet([caro])).size).toBe(1);
  });

  test("is not asked about where the installation lacks the scope", async () => {
    const { clock, slack, people } = await world({ readsQuiet: false });
    slack.setQuiet("caro", clock.now() + 3_600_000);
    expect((await people.quiet([slack.user("caro").id])).size).toBe(0);
    expect(slack.calls("dnd.teamInfo")).toEqual([]);
  });
});
