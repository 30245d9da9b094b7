import type { Condition, PinnedPeople, Rule } from "../../src/policy/rule.ts";

export const production = { id: "p1", name: "production" };
export const staging = { id: "p2", name: "staging" };

const anything: Condition = { risk: null, command: null, project: null, channels: null, over: null, overInDay: null };

/** A list of single people, as a rule stores it. */
export function peopleOf(users: string[], { agents = false } = {}): PinnedPeople {
  return { list: { users, groups: [], rotations: [], agents }, users };
}

/** A rule about every act that `when` does not exclude. */
export function rule(when: Partial<Condition>, demand: Rule["demand"] = "allowed", overridable = false): Rule {
  return { id: "r1", when: { ...anything, ...when }, demand, overridable };
}
