import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearest } from "../../../src/operation/matching.ts";
import { quoted } from "../../../src/operation/tokenize.ts";
import { findSecrets, readCommand } from "../../../src/slack/command/language.ts";
import { escapeText } from "../../../src/views/text.ts";

function hex(length: number): string {
  return Array.from({ length }, (_, index) => ((index * 7 + length) % 16).toString(16)).join("");
}

const customerKey = `fbk_${hex(8)}_${hex(96)}`;
const resellerKey = `rsk_${hex(8)}_${hex(64)}`;

function words(text: string): string[] {
  return readCommand(text).words;
}

describe("words and values", () => {
  test("words are words and pairs are values", () => {
    expect(readCommand('reinstall web-1 image=debian-13 reason="no longer needed"')).toMatchObject({
      words: ["reinstall", "web-1"],
      values: { image: "debian-13", reason: "no longer needed" },
      secrets: [],
      problems: [],
    });
  });

  test("an empty command has nothing in it", () => {
    expect(readCommand("  \n ")).toEqual({ words: [], values: {}, parts: [], secrets: [], problems: [] });
  });

  test.each([
    ['reason="no longer"', "straight quotes"],
    ["reason=“no longer”", "curly quotes"],
    ["reason=„no longer“", "German quotes"],
    ["reason=”no longer”", "Swedish quotes"],
    ["reason=«no longer»", "French quotes"],
    ["reason=»no longer«", "Danish quotes"],
    ["reason='no longer'", "single quotes"],
    ["reason=‘no longer’", "curly single quotes"],
    ['reason="no longer”', "a pair that the phone corrected half of"],
    ["Reason=“no longer”", "a name that the phone capitalised"],
    ["--reason=“no longer”", "dashes before the name"],
    ["—reason=“no longer”", "dashes that the phone joined"],
    ["rea\u200bson=“no\u00a0longer”", "unseen characters and a hard blank"],
    ['reason=no" "longer', "quotes round the blank alone"],
  ])("%s is understood: %s", (pair) => {
    expect(readCommand(`cancel web-1 ${pair}`)).toMatchObject({ values: { reason: "no longer" }, problems: [] });
  });

  test("an apostrophe in a word is no quotation mark", () => {
    expect(readCommand("cancel web-1 reason=customer's note don't 'the customer's wish'")).toMatchObject({
      words: ["cancel", "web-1", "note", "don't", "the customer's wish"],
      values: { reason: "customer's" },
      problems: [],
    });
  });

  test("a backslash keeps a quotation mark, and is itself elsewhere", () => {
    expect(words(String.raw`say "a \"b\" c" C:\new "C:\new"`)).toEqual(["say", 'a "b" c', "C:\\new", "C:\\new"]);
  });

  test("only the first equals sign parts name and value", () => {
    expect(readCommand("set x=a=b y=").values).toEqual({ x: "a=b" });
  });

  test("the first word, a quoted word and an odd name are no pairs", () => {
    expect(readCommand('a=b "c=d" 1e=f é=g')).toMatchObject({ words: ["a=b", "c=d", "1e=f", "é=g"], values: {} });
  });

  test("a value may be empty when it is quoted", () => {
    expect(readCommand('edit web-1 note=""')).toMatchObject({ values: { note: "" }, problems: [] });
  });

  test("names that JavaScript knows are plain names", () => {
    const { values } = readCommand("x constructor=1 tostring=2");
    expect(Object.entries(values)).toEqual([
      ["constructor", "1"],
      ["tostring", "2"],
    ]);
  });

  test.each([
    ['cancel web-1 reason="no longer', "never closed"],
    ["cancel web-1 reason=a reason=b", "reason is given twice"],
    ["cancel web-1 reason= x", "reason has no value"],
    ["cancel web-1 reason =x", "blank before an equals sign"],
  ])("%s is one problem that says so", (text, sentence) => {
    const { problems } = readCommand(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(sentence);
  });
});

describe("a text that Slack has rewritten", () => {
  test.each([
    ["a &amp; b &lt;c&gt;", ["a", "&", "b", "<c>"]],
    ["&amp;lt;", ["&lt;"]],
    ["<@U123|ana>", ["@U123"]],
    ["<@U123>", ["@U123"]],
    ["<#C123|ops>", ["#C123"]],
    ["<!subteam^S123|@oncall>", ["@S123"]],
    ["<!here>", ["@here"]],
    ["<http://host.name|host.name>", ["host.name"]],
    ["<http://web-1.example.com/|web-1.example.com>", ["web-1.example.com"]],
    ["<mailto:a@b.example|a@b.example>", ["a@b.example"]],
    ["<tel:+34123|+34123>", ["+34123"]],
    ["<https://x.y/z>", ["https://x.y/z"]],
    ["<https://x.y/?a=1&amp;b=2>", ["https://x.y/?a=1&b=2"]],
    ["<https://evil.example|web-1.example.com>", ["https://evil.example"]],
    ["&lt;@U123&gt;", ["<@U123>"]],
    ["<@U123", ["<@U123"]],
  ])("%s is what the member typed", (text, typed) => {
    expect(words(text)).toEqual(typed);
  });

  test("a linked host is understood inside a value", () => {
    expect(readCommand('order x name=<http://db.example.com|db.example.com> note="see <#C1|ops>"').values).toEqual({
      name: "db.example.com",
      note: "see #C1",
    });
  });
});

describe("secrets in a command", () => {
  test.each([
    ["customer key", `link ${customerKey}`],
    ["customer key", `link ${customerKey.slice(0, 16)}`],
    ["customer key", `link key=${customerKey.toUpperCase()}`],
    ["reseller key", `link "${resellerKey}"`],
    ["reseller key", "link rsk_a+b/c+d/_e+f/a+b/c+d/"],
    ["customer key", `link fbk_${hex(8)}_${hex(40)} ${hex(56)}`],
    ["customer key", `link fbk_\u200b${hex(8)}_${hex(96)}`],
    ["signing secret", `connect ${hex(64)}`],
    ["Slack token", `x xoxb-${hex(20)}`],
    ["Slack token", `x xapp-1-${hex(20)}`],
    ["private key", "x -----BEGIN OPENSSH PRIVATE KEY----- b3Blbn0123456789"],
    ["private key", 'x "-----BEGIN PRIVATE KEY----- b3Blbn0123456789" b3Blbn0123456789'],
  ])("a %s is seen, and nothing of it is left", (kind, text) => {
    const command = readCommand(text);
    expect(command.secrets).toEqual([kind]);
    expect(findSecrets(text)).toEqual([kind]);
    expect(JSON.stringify(command).toLowerCase()).not.toMatch(/[0-9a-f]{7}|b3blbn|[fr]bk_|rsk_|xox|xapp-/);
  });

  test.each([
    "password=hunter2",
    "PASSWORD=hunter2",
    'password="x hunter2 y"',
    "password=“x hunter2 y”",
    '"password=x hunter2 y"',
    'password="x hunter2',
    "password= hunter2",
    "password =hunter2",
    "password = hunter2",
    "password: hunter2",
    "pass=hunter2",
    "secret=hunter2",
    "root_password=hunter2",
    "newPassword=hunter2",
    "--password=hunter2",
    "password2=hunter2",
    "api-key=hunter2",
    "don't=password=hunter2",
    "https://x.example/?token=hunter2",
    "password=&lt;hunter2",
  ])("%s: the password is seen, and nothing of it is left", (typed) => {
    const command = readCommand(`reinstall web-1 ${typed}`);
    expect(command.secrets).toEqual(["password"]);
    expect(command.words.slice(0, 2)).toEqual(["reinstall", "web-1"]);
    expect(JSON.stringify(command)).not.toContain("hunter2");
  });

  test("the words and values after a secret are still read", () => {
    expect(readCommand("reinstall web-1 password=hunter2 image=debian yes")).toMatchObject({
      words: ["reinstall", "web-1", "yes"],
      values: { image: "debian" },
    });
    expect(readCommand('reinstall web-1 password="" image=debian').values).toEqual({ image: "debian" });
  });

  test.each([
    "password web-1",
    "unlink fbk_1a2b3c4d",
    "show 0b1c7c1e-8f2a-4b7e-9d59-0a1b2c3d4e5f",
    "list bypass=yes compass=north monkey=1 key=deploy",
    "add deploy public_key=“ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ana”",
  ])("%s holds no secret", (text) => {
    expect(readCommand(text)).toMatchObject({ secrets: [], problems: [] });
  });
});

describe("any text at all", () => {
  const wild = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(..."ab=:\"'“”‘’„«»\\<>&|@#! \n\u00a0\u200b\u200d—–\ud800\udc00\0\x1b;lt") }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
  );

  test("is read without a fault, to whole Unicode", () => {
    fc.assert(
      fc.property(wild, (text) => {
        const command = readCommand(text);
        expect(JSON.stringify(command).isWellFormed()).toBe(true);
        for (const word of [...command.words, ...Object.values(command.values)]) {
          expect(word.isWellFormed()).toBe(true);
          expect(word).not.toMatch(/(?!\n)\p{Cc}|\u200b|\ufeff/u);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a long one is read in no noticeable time", () => {
    for (const piece of ["<", "&", '"', "\\", "password", "password ", "=", "a", "fbk_", "f", "“”", " ='"]) {
      expect(() => readCommand(piece.repeat(100_000 / piece.length))).not.toThrow();
    }
  });

  const plain = fc
    .string({ unit: "grapheme" })
    .filter((text) => !/\p{C}|(?! )\p{Z}/u.test(text) && findSecrets(escapeText(quoted(text))).length === 0);

  test("comes back as it was when it is quoted, as a word and as a value", () => {
    const tricky = fc.string({ unit: fc.constantFrom(..."ab =\"'“”’„«»\\<>&|@#—é漢,`\n") });
    fc.assert(
      fc.property(fc.array(fc.oneof(plain, tricky), { minLength: 1, maxLength: 5 }), (texts) => {
        const typed = texts.map((text, index) => `${quoted(text)} v${index}=${quoted(text)}`).join(" ");
        const command = readCommand(`verb ${escapeText(typed)}`);
        expect(command.words).toEqual(["verb", ...texts]);
        expect(Object.values(command.values)).toEqual(texts);
        expect(command.problems).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("no key survives in it, wherever it was put", () => {
    const key = fc.constantFrom(customerKey, resellerKey, customerKey.slice(0, 20), `xoxb-${hex(24)}`, hex(64));
    const around = fc.oneof(wild, fc.constantFrom('"', "“", "'", "x=", "<", "&lt;", " "));
    fc.assert(
      fc.property(around, key, around, (before, secret, after) => {
        const command = readCommand(`${before}${secret}${after}`);
        expect(JSON.stringify(command)).not.toContain(secret.slice(5, 20));
        if (!/[<>]/.test(before + after)) expect(command.secrets).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the nearest words", () => {
  const verbs = [
    "list",
    "show",
    "stats",
    "start",
    "stop",
    "shutdown",
    "reboot",
    "reinstall",
    "password",
    "snapshots",
    "snapshot",
    "snapshot delete",
    "revert",
    "cancel",
    "keep",
    "move",
  ];

  test.each([
    ["lsit", "list"],
    ["rebot", "reboot"],
    ["strat", "start"],
    ["sotp", "stop"],
    ["Reinstal", "reinstall"],
    ["passwrod", "password"],
    ["snap", "snapshots"],
    ["delete", "snapshot delete"],
    ["snapshot delte", "snapshot delete"],
    ["restart", "start"],
    ["moev", "move"],
  ])("%s is near %s", (typed, verb) => {
    expect(nearest(typed, verbs)[0]).toBe(verb);
  });

  test("nothing is near a word of another kind", () => {
    expect(nearest("frobnicate", verbs)).toEqual([]);
    expect(nearest("", verbs)).toEqual([]);
  });

  test("no more than were asked for, each once", () => {
    expect(nearest("st", [...verbs, ...verbs], 2)).toEqual(["stats", "start"]);
  });

  test("any word is answered", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (typed) => nearest(typed, verbs).length <= 3));
  });
});
