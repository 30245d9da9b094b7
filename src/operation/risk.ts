/** The four risks of an operation. */
export type Risk = "read" | "change" | "spend" | "destroy";

/** The groups of help and menus, in their order. */
export const groups = ["look", "power", "data", "access", "money", "settings"] as const;
export type Group = (typeof groups)[number];

export const groupTitles: Record<Group, string> = {
  look: "Look",
  power: "Power",
  data: "Data",
  access: "Access",
  money: "Money",
  settings: "Settings",
};

const groupByRisk: Record<Risk, Group> = { read: "look", change: "settings", spend: "money", destroy: "data" };

/** The group in which help and menus show an operation. */
export function riskGroup({ group, risk }: { group?: Group; risk: Risk }): Group {
  return group ?? groupByRisk[risk];
}
