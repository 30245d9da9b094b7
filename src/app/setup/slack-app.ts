import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { note, password, select, text } from "@clack/prompts";
import { registry } from "../../operations/index.ts";
import { installPage, manifestOf, newAppPage } from "../../slack/manifest.ts";
import { slackApiUrl, valueFault } from "../config.ts";
import type { Finding } from "../doctor/outside.ts";
import { type Answers, show, showFinding, type TerminalSetup } from "./answers.ts";
import { Stopped } from "./keyboard.ts";

/** The strings that people bring from Slack, with the words for each. */
const strings = {
  SLACK_APP_TOKEN: { label: "app-level token", looks: "it begins with xapp-" },
  SLACK_BOT_TOKEN: { label: "bot token", looks: "it begins with xoxb-" },
  SLACK_SIGNING_SECRET: { label: "signing secret", looks: "it is 32 digits and letters from a to f" },
} as const;
type SlackString = keyof typeof strings;
const slackStrings = ["SLACK_APP_TOKEN", "SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"] as const;

/** Has the app made in Slack, and gets the strings of it, each checked. */
export async function settleSlack(setup: TerminalSetup): Promise<void> {
  const { answers } = setup;
  const apiUrl = settleApiUrl(answers);
  const socket = await usesSocketMode(setup);
  if (!socket) await settlePublicUrl(setup);
  const manifest = manifestOf(registry, socket ? null : (answers.held("PUBLIC_URL") ?? null));
  const wanted = socket
    ? (["SLACK_APP_TOKEN", "SLACK_BOT_TOKEN"] as const)
    : (["SLACK_SIGNING_SECRET", "SLACK_BOT_TOKEN"] as const);
  let opened: boolean | null = null;

  /** Before the first string is asked for, its reader needs the page that has it. */
  async function showPages(name: SlackString): Promise<void> {
    if (opened === null) opened = await showNewAppPage(setup, { manifest, apiUrl, socket });
    else if (opened && name === "SLACK_BOT_TOKEN")
      await setup.keyboard.during("Opening the browser", setup.openPage(installPage({ apiUrl, ...appToken(answers) })));
  }

  for (const name of wanted) await settleString(name, { setup, apiUrl, showPages });
}

function settleApiUrl(answers: Answers): string {
  const given = answers.held("SLACK_API_URL");
  const fault = given === undefined ? null : valueFault("SLACK_API_URL", given);
  if (fault !== null) throw new Stopped(`${fault} Then run the setup again.`);
  if (given !== undefined) answers.keep("SLACK_API_URL", given);
  return slackApiUrl(given);
}

async function usesSocketMode({ keyboard, answers }: TerminalSetup): Promise<boolean> {
  if (answers.held("SLACK_APP_TOKEN") !== undefined) return true;
  if (answers.held("SLACK_SIGNING_SECRET") !== undefined) return false;
  const socket = await keyboard.ask((input) =>
    select({
      input,
      message: "How do Slack and Rackbell reach each other?",
      options: [
        {
          value: true,
          label: "Rackbell connects to Slack",
          hint: "Socket Mode: nothing needs to be reachable from outside",
        },
        { value: false, label: "Slack posts to Rackbell", hint: "HTTP mode: needs an https address" },
      ],
    }),
  );
  // An app token from before would win over the signing secret.
  if (!socket && answers.env().SLACK_APP_TOKEN) answers.keep("SLACK_APP_TOKEN", "");
  return socket;
}

async function settlePublicUrl({ keyboard, answers }: TerminalSetup): Promise<void> {
  const fault = (typed: string) =>
    typed.trim().startsWith("https://")
      ? valueFault("PUBLIC_URL", typed)
      : "PUBLIC_URL begins with https://: Slack posts to no other address.";
  const held = answers.held("PUBLIC_URL");
  if (held !== undefined && fault(held) === null) return answers.keep("PUBLIC_URL", held);
  const typed = await keyboard.ask((input) =>
    text({
      input,
      message: "The address under which Slack reaches Rackbell",
      placeholder: "https://rackbell.example.com",
      validate: (given) => fault(given ?? "") ?? undefined,
    }),
  );
  answers.keep("PUBLIC_URL", typed.trim());
}

function appToken(answers: Answers): { appToken?: string } {
  const given = answers.held("SLACK_APP_TOKEN");
  return given === undefined ? {} : { appToken: given };
}

/** Shows how to make the app, and opens Slack's page for it. Resolves with true if a browser shows it. */
async function showNewAppPage(
  { folder, openPage, keyboard }: TerminalSetup,
  { manifest, apiUrl, socket }: { manifest: unknown; apiUrl: string; socket: boolean },
): Promise<boolean> {
  const url = newAppPage(manifest, apiUrl);
  const first = socket
    ? "Basic Information, App-Level Tokens: a token with the scope connections:write (xapp-…)"
    : "Basic Information: the Signing Secret";
  note(
    [
      "Slack's page has the manifest of Rackbell filled in. Choose the workspace there, and create the app.",
      "Then bring two strings:",
      `1. ${first}.`,
      "2. Install App: the Bot User OAuth Token, after the app is installed (xoxb-…).",
    ].join("\n"),
    "Make the Slack app",
  );
  const way = await keyboard.ask((input) =>
    select({
      input,
      message: "Slack's page for a new app",
      options: [
        { value: "open", label: "Open it in the browser" },
        { value: "page", label: "Write it as setup-link.html", hint: "for a browser on another machine" },
        { value: "none", label: "I made the app already" },
      ],
    }),
  );
  if (way === "none") return false;
  if (way === "open" && (await keyboard.during("Opening the browser", openPage(url)))) {
    show("success", "The browser shows Slack's page.");
    return true;
  }
  const why = way === "open" ? "There is no browser here. " : "";
  show("info", `${why}Open ${writeLinkPage(folder, { url, manifest })} in any browser. Its link makes the app.`);
  return false;
}

async function settleString(
  name: SlackString,
  parts: { setup: TerminalSetup; apiUrl: string; showPages(name: SlackString): Promise<void> },
): Promise<void> {
  const { setup, apiUrl, showPages } = parts;
  const { outside, keyboard, answers } = setup;
  let value = answers.held(name);
  const fault = value === undefined ? null : stringFault(name, value);
  if (fault !== null) {
    show("error", fault);
    value = undefined;
  }
  for (;;) {
    if (value === undefined) {
      await showPages(name);
      value = await askString(name, { apiUrl, ...appToken(answers) }, setup);
    }
    const findings = await keyboard.during(`Slack checks the ${strings[name].label}`, check(name, value));
    for (const finding of findings) showFinding(finding);
    if (findings.every(({ fine }) => fine)) return answers.keep(name, value);
    if (!(await checkAgain(name, findings, setup))) value = undefined;
  }

  async function check(which: SlackString, given: string): Promise<Finding[]> {
    if (which === "SLACK_BOT_TOKEN")
      return outside.checkInstallation({ botToken: given, apiUrl, ...appToken(answers) });
    return [await outside.checkConnection({ apiUrl, ...(which === "SLACK_APP_TOKEN" && { appToken: given }) })];
  }
}

/** Asks what follows a failed check: true for the same string once more, false for another one. */
function checkAgain(name: SlackString, findings: Finding[], { keyboard }: TerminalSetup): Promise<boolean> {
  // Slack knew the token: then it is right, and its installation is not.
  const isKnown = findings.some(({ fine }) => fine);
  const hint = isKnown ? "after you reinstalled the app" : "if Slack was not reachable";
  return keyboard.ask((input) =>
    select({
      input,
      message: "And now?",
      options: [
        { value: true, label: "Check it again", hint },
        { value: false, label: `Paste another ${strings[name].label}` },
      ],
      initialValue: isKnown,
    }),
  );
}

/** Asks for a string without showing it. */
async function askString(
  name: SlackString,
  app: Parameters<typeof installPage>[0],
  { keyboard }: TerminalSetup,
): Promise<string> {
  const { label, looks } = strings[name];
  if (name === "SLACK_BOT_TOKEN") show("info", `Install the app, and find its bot token there: ${installPage(app)}`);
  const pasted = await keyboard.ask((input) =>
    password({
      input,
      message: `Paste the ${label} (${looks}; it stays hidden)`,
      clearOnError: true,
      validate: (given) => stringFault(name, given ?? "") ?? undefined,
    }),
  );
  return pasted.trim();
}

/** The fault of a pasted string, which may be the one of another question. */
function stringFault(name: SlackString, given: string): string | null {
  const { label, looks } = strings[name];
  if (given.trim() === "") return `Paste the ${label}: ${looks}.`;
  const other = slackStrings.find((one) => one !== name && valueFault(one, given) === null);
  return other ? `This is the ${strings[other].label}. The ${label} belongs here: ${looks}.` : valueFault(name, given);
}

const meanings: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (one) => meanings[one] ?? "");
}

/**
 * Writes a page with the link that makes the Slack app, for a browser on any machine, and with the manifest to paste if Slack does not
 * take the link. Returns its path.
 */
function writeLinkPage(folder: string, { url, manifest }: { url: string; manifest: unknown }): string {
  const path = resolve(folder, "setup-link.html");
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Make the Slack app of Rackbell</title>
<h1>Make the Slack app of Rackbell</h1>
<p><a href="${escaped(url)}" rel="noreferrer">Open Slack's page with the manifest filled in</a>, choose the workspace, and create the app.</p>
<p>If that page has no manifest: choose <em>Create New App</em>, <em>From a manifest</em>, and paste this text.</p>
<textarea readonly rows="30" cols="90">${escaped(JSON.stringify(manifest, null, 2))}</textarea>
</html>
`;
  writeFileSync(path, text);
  return path;
}
