import { expect, test } from "vitest";
import { registry } from "../../../src/operations/index.ts";
import { carry } from "../carry.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { backOut, goAhead, type Message, type Story, said, startStory, writes } from "../story.ts";

// A new password shuts out whoever uses the old one: two presses, and every card says what ends and who gets the new one.

const made = "Rackbell makes the new one. The requester alone gets it, once.";
const byServer = "makes the new one. The requester alone gets it, once.";
const typed = "The requester typed the new one, and Rackbell shows it to nobody.";

interface Row {
  start: () => Promise<Story>;
  command: string;
  machine: string;
  ends: string;
  who: string;
  values?: Record<string, string>;
  /** The words of the dialog where the loss before them leaves no room for the old one. */
  dialog?: string;
  /** The words of the result about the old one. */
  result: RegExp;
}

const customer = () => startStory({ linked: ["ana"] });
const reseller = () => startResellerStory();

const ends = "The old root password ends.";
const accepted = /accepted the new password of .*It does not show when the password works/;
/** Provisioning manages metal-1 and not metal-2, and the platform shows that of neither. */
const ifRebuilt = "If the server is rebuilt, the old root password ends. If not, its system keeps the old one.";
const servers = ["metal-1", "metal-2"].flatMap((machine): Row[] => [
  {
    start: customer,
    command: `/service password ${machine}`,
    machine,
    ends: ifRebuilt,
    who: made,
    dialog: "If the server is rebuilt",
    result: /accepted the new password of .*If the server is rebuilt, the old root password ends/,
  },
  {
    start: customer,
    command: `/dedicated password ${machine}`,
    machine,
    ends: ifRebuilt,
    who: typed,
    values: { "New root password": "correct-Horse-7battery" },
    dialog: "If the server is rebuilt",
    result: /accepted the new password of .*If the server is rebuilt, the old root password ends/,
  },
]);

const rows: Row[] = [
  { start: customer, command: "/vps password web-1", machine: "web-1", ends, who: made, result: accepted },
  { start: customer, command: "/service password web-1", machine: "web-1", ends, who: made, result: accepted },
  ...servers,
  {
    start: customer,
    command: "/service run plugin-1 action=password.reset",
    machine: "plugin-1",
    ends: "By its name it may set another password or key. Then the old one ends",
    who: "the requester alone gets the new one",
    result: /plugin-1/,
  },
  {
    start: reseller,
    command: "/reseller service run BOR-004 action=password.reset",
    machine: "plugin-1.example.test",
    ends: "By its name it may set another password or key. Then the old one ends",
    who: "the requester alone gets the new one",
    dialog: "See Details for the rest",
    result: /plugin-1/,
  },
  {
    start: reseller,
    command: "/reseller service password ACME-001",
    machine: "web-2.example.test",
    ends,
    who: made,
    result: accepted,
  },
  {
    start: reseller,
    command: "/reseller service password BOR-002",
    machine: "metal-1.example.test",
    ends,
    who: `The server ${byServer}`,
    result: /old one/,
  },
  {
    start: reseller,
    command: "/reseller game sftp rotate BOR-003",
    machine: "arena-1.example.test",
    ends: "The old SFTP password",
    who: `The game module ${byServer}`,
    result: /old one/,
  },
  {
    start: reseller,
    command: "/reseller game vars BOR-003",
    machine: "arena-1.example.test",
    ends: "The old password or key",
    who: typed,
    values: { Variables: "RCON_PASSWORD=abc-Def-123" },
    result: /RCON_PASSWORD/,
  },
];

/** The text and the labels of the dialog on the button that decides. */
function dialogOf({ blocks }: Message): string {
  const elements = blocks.flatMap(({ elements: all }) => (Array.isArray(all) ? all : []));
  return elements.map(({ confirm }) => JSON.stringify(confirm ?? "")).join("\n");
}

test.each(rows)(
  "$command asks first, and says what ends and who gets the new one, on the card, in its dialog and in the result",
  async (row) => {
    const story = await row.start();
    const { ana } = story;
    for (const value of Object.values(row.values ?? {})) story.secrets.add(value.split("=").at(-1) ?? "");
    const asked = await carry(story, ana, row.command, goAhead, row.values ?? {});
    expect(writes(story)).toEqual([]);
    const card = said(asked);
    const isGuess = row.ends.startsWith("By its name");
    expect(card).toContain(row.ends);
    expect(card).toContain(row.who);
    expect(card).toContain(row.machine);
    expect(card.includes("Your customer needs it from the requester.")).toBe(row.start === reseller && !isGuess);
    expect(card).toMatch(/address|Sold to|sold to|in project/);
    expect(dialogOf(asked)).toContain(row.machine);
    expect(dialogOf(asked)).toContain(row.dialog ?? row.ends.replaceAll("`", "").split(". ")[0]);
    await story.pressing(ana, asked, goAhead, row.result);
    expect(writes(story)).toHaveLength(1);
  },
);

test("every operation that declares a replaced secret has a row above", () => {
  const declaring = registry.all.filter((operation) => "replaces" in operation);
  const lacking = declaring.filter(({ command }) => !rows.some((row) => row.command.startsWith(`/${command} `)));
  expect(declaring.length).toBeGreaterThan(5);
  expect(lacking.map(({ command }) => command)).toEqual([]);
});

test("every operation that takes or makes a password says which one it replaces, unless it erases the machine", () => {
  const lacking = registry.all.flatMap((operation) => {
    if (operation.api === "app" || operation.risk === "read") return [];
    const takes = Object.entries(operation.input.shape).some(([, field]) =>
      /"format":"password"/.test(JSON.stringify(field.meta())),
    );
    const routes = operation.routes.some((route) =>
      /^(?!GET ).*(password|rotate|credential|passphrase|token)/i.test(route),
    );
    const erases = operation.command.endsWith(" reinstall");
    return (takes || routes) && !erases && !("replaces" in operation) ? [operation.command] : [];
  });
  expect(lacking).toEqual([]);
});

test("a question about a password that is not answered sends nothing, and one that is typed with force=yes is answered", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben } = story;
  const asked = await carry(story, ana, "/vps password web-1", goAhead, {});
  expect(JSON.stringify(ben.sees("#ops"))).not.toContain("password");
  await story.pressing(ana, asked, backOut, "Nothing was done");
  expect(writes(story)).toEqual([]);
  await ana.type("/vps password web-1 force=yes");
  await story.modal(ana, "New root password");
  await ana.submit();
  await story.sees(ana, "accepted the new password");
  expect(writes(story)).toHaveLength(1);
});

test.each([true, false, null])(
  "no answer about a new password says when it works, or that the old one has ended, where the platform calls it available: %s",
  async (available) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    platform.settings.shapes.passwordAvailable = available;
    for (const command of ["/vps password web-1", "/service password web-2", "/dedicated password metal-2"]) {
      const asked = await carry(story, ana, command, goAhead, { "New root password": null });
      const answer = await story.pressing(ana, asked, goAhead, "accepted the new password");
      expect(said(answer)).not.toMatch(/works now|minute|has ended|is changed/);
      expect(said(answer).includes("not available: try the login")).toBe(
        command.startsWith("/vps") && available === false,
      );
    }
  },
);

test("a password of a server that is not rebuilt is never said to have ended the old one", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const asked = await carry(story, ana, "/dedicated password metal-2", goAhead, {});
  await story.pressing(ana, asked, goAhead, "accepted the new password");
  await story.passes(() => ana.sees().some((one) => said(one).includes(":grey_question:")), "the end", 60_000);
  const all = [...ana.sees(), ...ana.sees("dm")].map(said).join("\n");
  expect(all).toContain("If not, its system keeps the old one.");
  expect(all).not.toMatch(/old one (has )?end|[Tt]he old root password ends\.(?! If not)/);
});

test("a colleague who decides a new password by a rule reads the same", async () => {
  const story = await startStory({ linked: ["ana", "ben"], rules: ["demand=one-approval risk=change"] });
  const { ana, ben } = story;
  const asked = await carry(story, ana, "/vps password web-1", goAhead, {});
  expect(said(asked)).toContain("The old root password ends.");
  expect(said(asked)).toContain(made);
  expect(dialogOf(asked)).toContain("The old root password ends. Rackbell makes the new one.");
  await ben.press(asked, goAhead);
  await story.sees(ana, "accepted the new password of `root` on `web-1`");
});
