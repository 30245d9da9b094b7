import { readFileSync } from "node:fs";

/** A page of the guide: `guide/<name>.md`. */
export interface GuidePage {
  name: string;
  title: string;
  summary: string;
  /** Other words after `/rackbell help` that lead to it. */
  synonyms: string[];
  /** Only the operator of the host needs it: Slack shows its first section. */
  forOperator?: true;
}

/** All pages, in the order of the README. */
export const guidePages: GuidePage[] = [
  {
    name: "approvals",
    title: "Approvals",
    summary: "what needs a confirmation or an approval, and how people decide",
    synonyms: ["approval", "approve"],
  },
  {
    name: "deciding",
    title: "Answers beside yes and no",
    summary: "defer and narrow a request; what a decided card keeps",
    synonyms: ["defer", "narrow"],
  },
  {
    name: "approval-rules",
    title: "Approval rules",
    summary: "how much a command needs, amounts, the emergency override",
    synonyms: ["rules", "rule", "policy", "override", "break glass"],
  },
  {
    name: "requests",
    title: "Requests",
    summary: "what happens while one waits, backups, faults, who sees it",
    synonyms: ["request"],
  },
  {
    name: "protection",
    title: "Protected resources",
    summary: "type its name before an act destroys it",
    synonyms: ["protect", "protected", "unprotect"],
  },
  {
    name: "scheduling",
    title: "Scheduling",
    summary: "decide now, run later; maintenance windows",
    synonyms: ["schedule", "scheduled", "planned", "later", "window", "windows", "maintenance"],
  },
  {
    name: "bulk",
    title: "Several machines at once",
    summary: "one command and one approval for many machines",
    synonyms: ["several", "many"],
  },
  {
    name: "alerts",
    title: "Alerts",
    summary: "webhooks and polling as messages in a channel",
    synonyms: ["alert", "webhooks", "polling", "mute", "monitoring", "brief", "note", "notes"],
  },
  {
    name: "on-call",
    title: "On call",
    summary: "who acts on an alert or a request: take, release, who is notified",
    synonyms: ["take", "release", "reminder"],
  },
  {
    name: "escalation",
    title: "Then the next",
    summary: "who is notified if nobody takes it, and Do Not Disturb",
    synonyms: ["escalate", "steps", "dnd", "do not disturb"],
  },
  {
    name: "rotations",
    title: "Rotations",
    summary: "whose turn it is to be on call",
    synonyms: ["rotation", "oncall"],
  },
  {
    name: "away",
    title: "Away",
    summary: "say until when you are away, and who is notified in your place",
    synonyms: ["vacation", "stand-in"],
  },
  {
    name: "reselling",
    title: "Reselling",
    summary: "the reseller programme: set-up, money, webhooks",
    synonyms: ["resell", "resold", "connect"],
  },
  {
    name: "keys",
    title: "Keys and members",
    summary: "make a narrow key, link it, see who linked one",
    synonyms: ["key", "link", "unlink", "members", "scopes"],
  },
  {
    name: "agents",
    title: "Agents",
    summary: "let Claude Code, Cursor or another agent read and propose",
    synonyms: ["agent", "mcp", "claude", "cursor", "ai"],
  },
  {
    name: "passkeys",
    title: "Passkeys",
    summary: "approvals that a stolen Slack account cannot give",
    synonyms: ["passkey", "webauthn", "second factor", "mfa"],
  },
  {
    name: "anywhere",
    title: "Threads, messages, search",
    summary: "mentions, Act on this, Find anything, again, saved commands",
    synonyms: [
      "threads",
      "thread",
      "mentions",
      "mention",
      "search",
      "find",
      "again",
      "templates",
      "saved",
      "save",
      "channel",
    ],
  },
  {
    name: "presses",
    title: "Everyday tasks",
    summary: "each in one line, and how many presses follow it",
    synonyms: ["tasks", "ordering", "orders"],
  },
  {
    name: "home",
    title: "Home, favourites, watches",
    summary: "the day on one page, and messages about one resource",
    synonyms: ["favourites", "favourite", "watch", "watches", "watching"],
  },
  {
    name: "report",
    title: "Weekly report",
    summary: "one message a week about changes, due dates and costs",
    synonyms: ["weekly", "weekly report"],
  },
  {
    name: "audit-log",
    title: "Audit log",
    summary: "who did what, its proof and its export",
    synonyms: ["audit", "audit log", "log"],
  },
  {
    name: "troubleshooting",
    title: "Troubleshooting",
    summary: "what you see, its cause and its remedy",
    synonyms: ["trouble", "problems", "errors"],
  },
  {
    name: "limits",
    title: "Known limits",
    summary: "what Rackbell does not know, cannot reach, and how much it takes",
    synonyms: ["limit", "limitations"],
  },
  {
    name: "never",
    title: "Never through Rackbell",
    summary: "acts that no command, button or agent makes possible, each with its test",
    synonyms: ["promises"],
  },
  {
    name: "alternatives",
    title: "Alternatives",
    summary: "other tools, and when one of them is the better choice",
    synonyms: ["alternative", "others"],
  },
  {
    name: "security",
    title: "Security",
    summary: "what is stored, who can see it, what each protection is for",
    synonyms: [],
  },
  {
    name: "slack-admin",
    title: "For the Slack admin",
    summary: "make the app, hand over two strings; each scope, and what the app cannot do",
    synonyms: ["slack admin", "install slack"],
  },
  {
    name: "install",
    title: "Install it",
    summary: "from nothing to the first list of servers",
    synonyms: ["installation", "set up"],
    forOperator: true,
  },
  {
    name: "deploy",
    title: "Deployments",
    summary: "in a container, with systemd, in Kubernetes",
    synonyms: ["deployment", "docker", "systemd", "kubernetes"],
    forOperator: true,
  },
  {
    name: "releases",
    title: "Releases",
    summary: "check a release, and what its version promises",
    synonyms: ["version", "sbom", "signature"],
    forOperator: true,
  },
  {
    name: "operate",
    title: "Operate it",
    summary: "back up, upgrade, rotate the key, watch its health",
    synonyms: ["backup store", "upgrade", "doctor"],
    forOperator: true,
  },
  {
    name: "instances",
    title: "Several instances",
    summary: "two or more processes on one Redis",
    synonyms: ["redis"],
    forOperator: true,
  },
  {
    name: "variables",
    title: "Variables",
    summary: "every setting in the environment",
    synonyms: ["settings"],
    forOperator: true,
  },
  {
    name: "metrics",
    title: "Metrics",
    summary: "every figure of /metrics, and when to look",
    synonyms: [],
    forOperator: true,
  },
  {
    name: "performance",
    title: "Performance",
    summary: "measured figures and their goals",
    synonyms: ["speed"],
    forOperator: true,
  },
];

/** The page that a member named, by its name, its title or a synonym. */
export function guidePageOf(words: string): GuidePage | undefined {
  const wanted = words.toLowerCase();
  return guidePages.find(
    ({ name, title, synonyms }) => name === wanted || title.toLowerCase() === wanted || synonyms.includes(wanted),
  );
}

/** A page as standard Markdown, as it stands in the repository. */
export function guideText({ name }: GuidePage): string {
  return readFileSync(new URL(`./${name}.md`, import.meta.url), "utf8");
}

/** A page with its links to other pages as `link` writes them. Links to other files of the repository become their text. */
export function guideLinked(page: GuidePage, link: (shown: string, name: string) => string): string {
  const text = guideText(page).replaceAll(/<!--[^<>]*-->\n+/g, "");
  return text.replaceAll(/\[([^[\]]+)\]\((?!https?:)([^()]+)\)/g, (_, shown: string, path: string) => {
    const [, name = ""] = /^([\w-]+)\.md(?:#.*)?$/.exec(path) ?? [];
    return guidePages.some((other) => other.name === name) ? link(shown, name) : shown;
  });
}

/**
 * A page as standard Markdown for Slack, at most 12,000 characters (the limit of a `markdown` block). A link to another page is the
 * command that shows it: Slack can open no file of the repository.
 */
export function guideForSlack(page: GuidePage): string {
  const text = guideLinked(page, (shown, name) => `${shown} (\`/rackbell help ${name}\`)`);
  if (!page.forOperator) return text;
  const [first = ""] = text.split(/^## /m);
  return `${first.trim().split("\n| ")[0]}\n\nThe operator of the host finds the whole page in \`src/guide/${page.name}.md\`.`;
}
