import { expect, test } from "vitest";
import { projectsSeenBy, rulesAsSeenBy } from "../../src/policy/ruled-projects.ts";
import { openRooms } from "../requests/rooms.ts";
import { rule } from "./rules.ts";

const plain = { ...rule({}, "one-approval"), id: "plain" };

/** Ana's key, and rules about a project that was renamed since, about one that is gone, and about none. */
async function openRules() {
  const { context, personOf, platform } = await openRooms();
  const known = { id: platform.projectId("production"), name: "Old name" };
  const about = { ...rule({ project: known }, "one-approval"), id: "about" };
  const gone = { ...rule({ project: { id: "no-such-project", name: "Gone" } }, "one-approval"), id: "gone" };
  const rules = [about, plain, gone];
  platform.renameProject("production", "Live");
  const renamed = { ...about, when: { ...about.when, project: { ...known, name: "Live" } } };
  const ana = personOf("ana");
  const seen = (member = ana.member) => rulesAsSeenBy(context, member, rules);
  return { context, platform, ana, rules, renamed, gone, known, seen };
}

test("a rule about a project is shown with its present name, and one whose project is gone is told apart", async () => {
  const { context, ana, seen, renamed, gone, known } = await openRules();
  expect(await seen()).toEqual({ rules: [renamed, plain, gone], gone: new Set(["gone"]) });
  expect([...(await projectsSeenBy(context, ana.member))]).toContain(known.id);
});

test("a key that is confined to one project says of no other that it is gone", async () => {
  const { context, platform, ana, seen, known } = await openRules();
  await context.identities.link(ana, platform.addKey({ owner: "ana", project: platform.projectId("staging") }).key);
  const found = await seen();
  expect(found.gone).toEqual(new Set());
  expect([...(await projectsSeenBy(context, ana.member))]).not.toContain(known.id);
});

test("while the platform does not answer, rules have the names of the last read, and no project is gone", async () => {
  const { context, platform, ana, rules, seen } = await openRules();
  platform.faults.next({ how: "500", method: "GET", path: "/projects", times: 100 });
  expect(await seen()).toEqual({ rules, gone: new Set() });
  expect(await projectsSeenBy(context, ana.member)).toEqual(new Set());
});

test("without a key that the platform takes, rules have the names of the last read, and no project is gone", async () => {
  const { context, platform, ana, rules, seen } = await openRules();
  const asRead = { rules, gone: new Set() };
  const revoked = platform.addKey({ owner: "ana" });
  await context.identities.link(ana, revoked.key);
  platform.revoke(revoked);
  expect(await seen()).toEqual(asRead);
  expect(await projectsSeenBy(context, ana.member)).toEqual(new Set());
  const { customer } = await context.identities.links(ana.member);
  if (customer) await context.identities.markRejected(ana.member, "customer", customer.keyId);
  const before = platform.calls().length;
  expect(await seen()).toEqual(asRead);
  expect(platform.calls()).toHaveLength(before);
  await context.identities.unlink(ana.member, "customer", { retire: false });
  expect(await seen()).toEqual(asRead);
  expect(await projectsSeenBy(context, ana.member)).toEqual(new Set());
});

test("an error that is not the platform's is no reason to show the names of the last read", async () => {
  const { ana, rules } = await openRules();
  const failing = { identities: { session: () => Promise.reject(new Error("The disk is gone")) } };
  await expect(rulesAsSeenBy(failing, ana.member, rules)).rejects.toThrow("The disk is gone");
  await expect(projectsSeenBy(failing, ana.member)).rejects.toThrow("The disk is gone");
});

test("nothing is read where no rule is about a project", async () => {
  const { context, platform, ana } = await openRules();
  const before = platform.calls().length;
  expect(await rulesAsSeenBy(context, ana.member, [plain])).toEqual({ rules: [plain], gone: new Set() });
  expect(platform.calls()).toHaveLength(before);
});
