import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fieldsOf } from "../../../src/operation/fields.ts";
import { synonymCommand, synonymsOf } from "../../../src/operation/registry.ts";
import { tokenize } from "../../../src/operation/tokenize.ts";
import { commandLine } from "../../../src/operation/usage.ts";
import { operations, registry } from "../../../src/operations/index.ts";
import { findSecrets } from "../../../src/slack/command/language.ts";
import { parseCommand } from "../../../src/slack/command/parse.ts";
import { needsForm } from "../../../src/slack/dispatch.ts";
import { escapeText } from "../../../src/views/text.ts";

/** The invocation of a typed command, or the error sentence. */
function read(command: string, text: string) {
  const parsed = parseCommand(registry, command, text);
  if ("error" in parsed) return { is: "error", text: parsed.error };
  if ("readings" in parsed) return { is: "readings", of: parsed.readings, text: parsed.unknown };
  const { invocation } = parsed;
  const operation = registry.find(invocation.command);
  return { is: operation && needsForm(operation, invocation) ? "form" : "invoke", ...invocation };
}

function help(noun?: string) {
  return { is: "invoke", command: "rackbell help", input: noun ? { noun } : {} };
}

describe("a typed command", () => {
  test("names an operation, a target and values", () => {
    expect(read("vps", "snapshot web-1 name=before")).toEqual({
      is: "invoke",
      command: "vps snapshot",
      target: "web-1",
      input: { name: "before" },
    });
  });

  test("of 4,000 characters is read, and one more is refused before anything reads it", () => {
    const most = "show web-1".padEnd(4_000);
    expect(read("vps", most)).toMatchObject({ is: "invoke", target: "web-1" });
    expect(read("vps", `${most} `)).toMatchObject({ is: "error", text: expect.stringContaining("4,001 characters") });
    // A key in it is not looked for, either.
    expect(read("vps", `${most} fbk_${"z".repeat(40)}`)).toMatchObject({ text: expect.not.stringContaining("secret") });
  });

  test("takes the longest verb, so that a deletion is no snapshot of a machine called delete", () => {
    expect(read("vps", "snapshot delete web-1 snapshot=old")).toMatchObject({
      command: "vps snapshot delete",
      target: "web-1",
    });
  });

  test("takes a target of several words", () => {
    expect(read("vps", "show my big server")).toMatchObject({ is: "invoke", target: "my big server" });
  });

  test("works behind /rackbell as well", () => {
    expect(read("rackbell", "vps reboot web-1")).toEqual(read("vps", "reboot web-1"));
  });

  test("is read with its slash and the app's name, as the app's messages show it and people paste it", () => {
    for (const { command } of operations) {
      const text = /^rackbell /.test(command) ? command : `rackbell ${command}`;
      const typed = read("rackbell", text.replace(/^rackbell /, ""));
      for (const pasted of [`/${text}`, text, `/${command}`, `/Rackbell ${text.replace(/^rackbell /, "")}`])
        expect(read("rackbell", pasted)).toEqual(typed);
    }
  });

  test("takes a name in code marks as it is, and a code mark inside a word as a character", () => {
    expect(read("vps", "show `web-1`")).toEqual(read("vps", "show web-1"));
    expect(read("vps", "show `my big server`")).toMatchObject({ target: "my big server" });
    expect(read("vps", "snapshot web-1 name=`before`")).toEqual(read("vps", "snapshot web-1 name=before"));
    expect(read("vps", "show we`b-1")).toMatchObject({ target: "we`b-1" });
  });

  test("keeps the quotes round a name with blanks where several names are one input", () => {
    expect(read("rackbell", 'window "web 1" web-2 22:00-23:30 on=mon')).toMatchObject({
      input: { what: '"web 1" web-2 22:00-23:30', on: "mon" },
    });
  });

  test("by the name that it had before is the same command, with the same values", () => {
    const renamed = [
      ["scheduled", "scheduled"],
      ["watching", "watches"],
      ["window", "maintenance"],
      ["window list", "maintenance list"],
      ["window remove", "maintenance remove"],
    ];
    for (const [old = "", now = ""] of renamed)
      for (const values of ["", " one", ' "web 1" 22:00-23:30 every=week', " after=x"])
        expect(read("rackbell", `${old}${values}`)).toEqual(read("rackbell", `${now}${values}`));
    expect(read("rackbell", "window web-1 22:00-23:30 every=week")).toEqual({
      is: "invoke",
      command: "rackbell maintenance",
      input: { what: "web-1 22:00-23:30", every: "week" },
    });
  });

  test("opens a form when the target or a value is missing, with the rest filled in", () => {
    expect(read("vps", "show")).toMatchObject({ is: "form", command: "vps show" });
    expect(read("vps", "snapshot web-1 description=weekly")).toMatchObject({
      is: "form",
      target: "web-1",
      input: { description: "weekly" },
    });
  });

  test("opens a form for a password, whatever else was typed", () => {
    expect(read("vps", "password web-1")).toMatchObject({ is: "form", command: "vps password", target: "web-1" });
  });

  test("without a verb, or with help, shows what the noun can do", () => {
    expect(read("vps", "")).toEqual(help("vps"));
    expect(read("vps", "help")).toEqual(help("vps"));
    expect(read("rackbell", "help vps")).toEqual(help("vps"));
    expect(read("rackbell", "")).toEqual(help());
    expect(read("rackbell", "help rackbell")).toEqual(help("rackbell"));
  });

  test("with a misspelt verb of Rackbell's own names each of the nearest once", () => {
    expect(read("rackbell", "maintenence")).toMatchObject({
      is: "readings",
      text: expect.stringMatching(/Did you mean \S*\/rackbell maintenance\S*\?/),
    });
  });

  test("asks for the list of resold game servers by the words of the other nouns", () => {
    expect(read("reseller", "game list")).toMatchObject({ is: "invoke", command: "reseller service list" });
  });

  test("with a word too many says how it is typed", () => {
    expect(read("rackbell", "channel clear")).toMatchObject({
      is: "error",
      text: expect.stringMatching(/“clear”. Nothing was done. Type `\/rackbell channel \[project=…\]/),
    });
  });

  test("with a misspelt verb is answered with the nearest ones, and all that was typed stays", () => {
    expect(read("vps", "rebot web-1 force=yes")).toMatchObject({
      is: "readings",
      of: [{ command: "vps reboot", target: "web-1", confirmed: true }],
      text: expect.stringContaining("/vps reboot"),
    });
  });

  test("with a secret in it is not used, and the secret is not repeated", () => {
    const key = `fbk_${"ab".repeat(4)}_${"cd".repeat(48)}`;
    const answer = read("rackbell", `link ${key}`);
    expect(answer).toMatchObject({ is: "error", text: expect.stringContaining("Revoke") });
    expect(JSON.stringify(answer)).not.toContain("cdcd");
    expect(read("vps", "reinstall web-1 password=hunter2hunter2")).toMatchObject({ is: "error" });
  });

  test("takes what looks like a secret where the named argument asks for just that, and nowhere else", () => {
    const digest = "0123456789abcdef".repeat(4);
    expect(read("image", `register name=mine sha256=${digest} url=https://images.example.com/a.qcow2`)).toMatchObject({
      is: "invoke",
      input: { sha256: digest },
    });
    expect(read("rackbell", `image register sha256=${digest}`)).toMatchObject({
      is: "form",
      input: { sha256: digest },
    });
    expect(read("image", `register name=${digest} sha256=${digest}`)).toMatchObject({ is: "error" });
    expect(read("image", `register sha256=${digest}${digest}`)).toMatchObject({ is: "error" });
    expect(read("image", `list sha256=${digest}`)).toMatchObject({ is: "error" });
    expect(read("image", `register sha256=${digest} ${digest}`)).toMatchObject({ is: "error" });
  });

  test("takes such a digest however many dashes are before its name, and whichever a phone made of them", () => {
    const digest = "0123456789abcdef".repeat(4);
    for (const dashes of ["-", "--", "–", "—"])
      expect(
        read("image", `register name=My url=https://x.example/a.qcow2 ${dashes}sha256=${digest}`),
        dashes,
      ).toMatchObject({ input: { sha256: digest } });
  });

  test("with words that nobody expects gets an error", () => {
    expect(read("rackbell", "whoami web-1")).toMatchObject({ is: "error", text: expect.stringContaining("web-1") });
  });

  test("without its noun means every noun that has the verb or a synonym of it, with the same rest", () => {
    expect(read("rackbell", 'reboot web-1 reason="a leak"')).toEqual({
      is: "readings",
      of: [
        ...["vps reboot", "service reboot", "dedicated restart", "game restart"],
        ...["reseller service restart", "reseller game restart"],
      ].map((command) => ({
        command,
        target: "web-1",
        input: { reason: "a leak" },
      })),
    });
  });

  test("without its noun is plain where one noun alone has the verb", () => {
    expect(read("rackbell", "suspend web-1")).toMatchObject({ command: "reseller service suspend", target: "web-1" });
  });

  test("without its noun takes the longest verb", () => {
    expect(read("rackbell", "snapshot delete web-1 snapshot=old")).toMatchObject({ command: "vps snapshot delete" });
  });

  test("that is a name alone shows what is called so", () => {
    const shown = { command: "vps show", target: "web-1", input: {} };
    expect(read("rackbell", "web-1")).toMatchObject({ is: "readings", of: expect.arrayContaining([shown]) });
  });

  test("without its noun and misspelt is answered with the nearest verb of each noun", () => {
    const { text, of } = read("rackbell", "rebot web-1");
    expect(text).toContain("/rackbell reboot");
    expect(of).toContainEqual({ command: "vps reboot", target: "web-1", input: {} });
    expect(of).toContainEqual({ command: "dedicated restart", target: "web-1", input: {} });
  });

  test("of one noun is not taken for another's", () => {
    expect(read("vps", "pay web-1")).toMatchObject({ is: "error" });
  });

  test("is understood or answered with a sentence, whatever it is", () => {
    fc.assert(
      fc.property(fc.constantFrom(...registry.nouns), fc.string({ unit: "binary", maxLength: 300 }), (noun, text) => {
        const parsed = parseCommand(registry, noun, text);
        if ("error" in parsed) expect(parsed.error.length).toBeGreaterThan(10);
        else {
          const read = "readings" in parsed ? parsed.readings : [parsed.invocation];
          expect(read.filter(({ command }) => registry.find(command) === undefined)).toEqual([]);
        }
      }),
    );
  });
});

const wild = fc
  .oneof(
    fc.string({ unit: "grapheme" }).filter((text) => !/\p{C}|(?! )\p{Z}/u.test(text)),
    fc.string({ unit: fc.constantFrom(..."ab =:,-\"'`“”„«»‘’\\<>&—–\n") }),
  )
  .filter((text) => findSecrets(escapeText(text)).length === 0);

describe("a command that takes another one", () => {
  test.each(["again", "repeat", "policy", "policy try"])("%s hands on any text as it was typed", (verb) => {
    const typed = (text: string) => tokenize(text).tokens.map((token) => token.typed);
    fc.assert(
      fc.property(wild, (text) => {
        fc.pre(verb === "again" || !/^["'`“”„«»‘’\s]*help/.test(text));
        const parsed = read("rackbell", `${verb} ${escapeText(text)}`);
        if (!("input" in parsed)) throw new Error(`${text}: ${JSON.stringify(parsed)}`);
        expect(typed(String(Object.values(parsed.input)[0] ?? ""))).toEqual(typed(text));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    `description='a 5" disk'`,
    `name="'x'"`,
    'color=""',
    "vps cancel web-1 immediate=yes web-2",
    "twice a=b a=c",
    `a 3.5" disk`,
    "“web 1” —note=„x“",
  ])("hands on %s as it is, and the values before its own words too", (text) => {
    expect(read("rackbell", `policy try ${text}`)).toMatchObject({ input: { what: text } });
    expect(read("rackbell", `again ${text}`)).toMatchObject({ input: { changes: text } });
    expect(read("rackbell", `policy a=b try ${text}`)).toMatchObject({ input: { what: `a=b ${text}` } });
  });

  test.each(["again password=hunter2 a=b a=c", "policy try vps x token=hunter2", "repeat “password = hunter2”"])(
    "is not used if a secret is in it: %s",
    (text) => {
      expect(read("rackbell", text)).toMatchObject({
        is: "error",
        text: expect.stringContaining("looks like a secret"),
      });
    },
  );
});

describe("a command line that a member is shown", () => {
  const command = fc.constantFrom("vps snapshot", "vps reboot", "project create", "rackbell maintenance");

  test("is read as the same command when it is typed, whatever is in its values", () => {
    fc.assert(
      fc.property(command, wild, fc.array(wild, { maxLength: 3 }), (name, target, texts) => {
        const operation = registry.find(name);
        if (!operation) throw new Error(name);
        const inputs = fieldsOf(operation.input).map((field) => field.name);
        const input = Object.fromEntries(
          texts.flatMap((text, at) => {
            const field = inputs[at];
            return field === undefined ? [] : [[field, text] as const];
          }),
        );
        const isNamed = operation.target !== null && /[^\s,]/.test(target) && !target.includes(",");
        const line = commandLine(operation, { targets: isNamed ? [target] : [], input });
        const [, noun = "", rest = ""] = /^\/(\S+) ?(.*)$/s.exec(line) ?? [];
        fc.pre(findSecrets(escapeText(rest)).length === 0);
        const parsed = parseCommand(registry, noun, escapeText(rest));
        expect(parsed).toEqual({ invocation: { command: name, ...(isNamed ? { target } : {}), input } });
      }),
      { numRuns: 1_000 },
    );
  });

  test("has the text of another command as it was typed", () => {
    const operation = registry.find("rackbell policy");
    if (!operation) throw new Error("there is no policy");
    const input = { what: `vps cancel web-1 reason="a 5' \\"disk\\""` };
    const line = commandLine(operation, { targets: [], input });
    expect(read("rackbell", line)).toMatchObject({ command: "rackbell policy", input });
  });
});

describe("a synonym of a verb", () => {
  const synonyms = registry.all.flatMap((operation) =>
    synonymsOf(operation).map((synonym) => ({
      operation,
      words: synonymCommand(operation, synonym),
      exact: synonym.exact === true,
    })),
  );

  test("leads to its operation: at once to a read, by a button to anything else", () => {
    expect(synonyms.length).toBeGreaterThan(100);
    for (const { operation, words, exact } of synonyms) {
      const [noun = "", ...rest] = words.split(" ");
      const typed = operation.target ? [...rest, "web-1"] : rest;
      const parsed = parseCommand(registry, noun, typed.join(" "));
      const behind = parseCommand(registry, "rackbell", [noun, ...typed].join(" "));
      expect(behind, words).toEqual(parsed);
      if ("error" in parsed) throw new Error(`${words}: ${parsed.error}`);
      const commands =
        "readings" in parsed ? parsed.readings.map(({ command }) => command) : [parsed.invocation.command];
      expect(commands, words).toContain(operation.command);
      const confirmed = "readings" in parsed ? parsed.confirmed : [];
      expect(confirmed.includes(operation.command), words).toBe(operation.risk !== "read" && !exact);
      expect(parseCommand(registry, noun, typed.join(" ").toUpperCase()), words).toMatchObject(
        "readings" in parsed ? { confirmed } : {},
      );
    }
  });

  test("is no command of its own, so that no command is hidden", () => {
    for (const { words } of synonyms) expect(registry.find(words), words).toBeUndefined();
  });

  test("is never read out of a quoted name", () => {
    expect(parseCommand(registry, "rackbell", '"list all"')).not.toMatchObject({ invocation: { command: "vps list" } });
    expect(read("rackbell", 'reboot "restart me"')).toMatchObject({ is: "readings" });
    expect(read("rackbell", '"reboot web-1"')).not.toMatchObject({
      of: expect.arrayContaining([expect.objectContaining({ command: "vps reboot" })]),
    });
  });
});
