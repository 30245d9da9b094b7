import type { SlackGroups, SlackUser } from "../../src/members/slack-user.ts";
import type { AdminsApp } from "../../src/messages/admins.ts";
import { noticeMessages } from "../../src/messages/answers/notices.ts";
import { SlackRefused } from "../../src/messages/chat/errors.ts";
import { createRegistry, type Registry } from "../../src/operation/registry.ts";
import { type PolicyApp, type PolicyEditor, ruleDefaults } from "../../src/policy/policy.ts";
import { customerLink } from "../members/identities/links.ts";
import { openMemory } from "../storage/memory.ts";

/** A person of the workspace: an admin or not, with a linked key or without one. */
interface Somebody extends Partial<Omit<SlackUser, "id">> {
  linked?: boolean;
}

/**
 * The rules of a workspace with these people, over a store in memory: Slack's answers about them and their keys are the values that a test
 * sets, and an id that it does not set is one that Slack does not answer about.
 */
export async function openWorkspace(people: Record<string, Somebody>, passkeys: "off" | "on" | "required" = "off") {
  const { store, clock } = await openMemory();
  const entries: unknown[] = [];
  const groups: { now: SlackGroups } = { now: { groups: [] } };
  const person = async (id: string): Promise<SlackUser> => {
    const known = people[id];
    if (!known) throw new SlackRefused("users.info", "internal_error");
    return { id, name: id, admin: false, outsider: null, deleted: false, zone: "UTC", ...known };
  };
  const linkOf = (id: string) => {
    const user = { id: `p-${id}`, name: id, email: "" };
    return customerLink({ member: `T1:${id}`, slackUser: id, keyId: `k-${id}`, keyLabel: id, user });
  };
  const links = async (member: string) => {
    const id = member.slice(3);
    return { member, customer: people[id]?.linked ? linkOf(id) : null, reseller: null };
  };
  const app: PolicyApp &
    Omit<AdminsApp, "people"> & { people: AdminsApp["people"] & PeopleOfGroups; registry: Registry } = {
    ...{ store, clock, registry: createRegistry([]), namedAdmins: [] },
    approvalDefaults: ruleDefaults("self", passkeys),
    holdsPasskey: async () => true,
    onRulesChanged: async () => {},
    audit: {
      entryOf(audited, event) {
        entries.push({ ...audited, ...event });
        return { log: "audit", retentionMs: 1_000, at: clock.now(), subjects: [], data: { ...audited } };
      },
    },
    people: { person, groups: async () => groups.now, everybody: async () => [] },
    identities: {
      links,
      all: () => Promise.all(Object.keys(people).map((id) => links(`T1:${id}`))),
      async person(member) {
        const { customer } = await links(member);
        return { member, users: customer ? [customer.user.id] : [], keys: customer ? [customer.keyId] : [] };
      },
    },
  };
  const editor = (id: string, second: readonly string[] | null): PolicyEditor => ({
    ...{ member: `T1:${id}`, slackUser: id, keyLabel: id, command: "rackbell policy set", outcome: "Changed.", second },
  });
  const noticeOf = async (id: string) => (await noticeMessages(app).notifications(id, new Set())) ?? [];
  return { app, clock, entries, groups, people, editor, noticeOf };
}

interface PeopleOfGroups {
  groups: () => Promise<SlackGroups>;
  everybody: () => Promise<readonly SlackUser[]>;
}
