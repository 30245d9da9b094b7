import { describe, expect, test } from "vitest";
import { entriesMeant } from "../src/members/access/resolve.ts";
import { splitWords } from "../src/members/access/words.ts";
import { foldedName, namesMeant } from "../src/operation/matching.ts";
import { readScheduledTime } from "../src/operation/schedule-input.ts";
import { quoted, tokenize } from "../src/operation/tokenize.ts";
import { registry } from "../src/operations/index.ts";
import { mentions } from "../src/operations/kits/mentions.ts";
import { powerWord } from "../src/operations/kits/power.ts";
import { readParams, readTexts } from "../src/operations/kits/provider-action.ts";
import { entryOf, folderOf, nameIn, typable } from "../src/operations/reseller/game/paths.ts";
import { Amount } from "../src/platform/amounts.ts";
import { readDownload } from "../src/platform/http/envelope.ts";
import { readResellerRefusal } from "../src/platform/reseller/client.ts";
import { pathIn, withStar } from "../src/process/http.ts";
import { wellFormedJson } from "../src/process/json.ts";
import { scrub } from "../src/process/log.ts";
import { namesSecret, partSecrets } from "../src/process/secret-parts.ts";
import { plainWithNames } from "../src/requests/facets/passkey/page.ts";
import { findSecrets, readPlainText } from "../src/slack/command/language.ts";
import { parseCommand } from "../src/slack/command/parse.ts";
import { withoutMention } from "../src/slack/listeners/typed.ts";
import { isBareSslCheck, readPayload } from "../src/slack/receivers/http-receiver.ts";
import { csvText } from "../src/views/csv.ts";
import { moment, money } from "../src/views/format.ts";
import { jsonBlocks } from "../src/views/json.ts";
import { labelled } from "../src/views/labels.ts";
import { preformatted } from "../src/views/preformatted.ts";
import { clipMarkup, code, oneLine, prose, unmarked, withArticle } from "../src/views/text.ts";
import { valueWords } from "../src/views/values.ts";
import { unmarkedText } from "../src/web/mcp/errors.ts";

/** An expression that looks at each of these anew from each other one would take minutes over them, and the test would end as too slow. */
const many = 200_000;

test.each<[string, (run: (character: string) => string) => unknown, unknown]>([
  ["joiners in a command", (run) => readPlainText(`é${run("\u200d")}é`).length, many + 2],
  ["joiners of which one side is plain", (run) => readPlainText(`é${run("\u200d")}a`), "éa"],
  ["dots in a message", (run) => splitWords(`a${run(".")}b`).words.length, 1],
  ["dates of which none ends", (run) => unmarked(run("<!date^1^")).length, many * 9],
  ["dates without their end", (run) => unmarked(run("<!date^1^|")).length, many * 10],
  ["colons in an address", (run) => partSecrets(`a://${run(":")}`).secrets, []],
  ["semicolons in an address", (run) => partSecrets(`a://b?${run(";")}`).secrets, []],
  ["letters in an answer", (run) => partSecrets([run("a"), run("a."), run("a:"), run("a=")]).secrets, []],
  ["addresses in an answer", (run) => partSecrets([run("x://a:"), run("-----BEGIN ")]).secrets, []],
  ["blanks in a provider's values", (run) => readParams(`a=1${run(" ")}2`), { a: `1${" ".repeat(many)}2` }],
  ["blanks in a value", (run) => valueWords("motd", `a${run(" ")}b`).length < many, true],
  ["lines of a value", (run) => valueWords("motd", `a${run("\n")}b`), "`a ⏎ b`"],
  ["lines of a file", (run) => preformatted(`${run("\n")}a`).length > 1, true],
  ["stops behind a name", (run) => namesMeant(`a${run(".")}b`).length, 1],
  [
    "slashes in a path",
    (run) => [folderOf(`/a${run("/")}b`), nameIn(`/a${run("/")}b`)],
    [`/a${"/".repeat(many - 1)}`, "b"],
  ],
  ["slashes in a file's name", (run) => entryOf({ name: `a${run("/")}b` }, "/").name, "b"],
  ["digits in a figure", (run) => valueWords("price", `${run("1")}.00`, "EUR").length < many * 2, true],
])("%s are read in a time that grows with their number alone", (_, read, expected) => {
  expect(read((character) => character.repeat(many))).toEqual(expected);
});

/** The marks that the readers look for, each of which may make an expression begin anew. */
const units = [
  ..."ab0Z_-.,:;!?/\\@#%&=+*~|`'\"“‘<>()[]{}$^ \t\n\u200d",
  "00:",
  "0t",
  "12:00-",
  "of ",
  "a.",
  "a=",
  "a='",
  'a="\\',
  "<@",
  "<#0|",
  "<!date^1^",
  "<http:",
  "&a",
  "://",
  "://a:",
  "-----BEGIN ",
  "secret",
  "password=",
  'token":"',
  "bearer ",
  "at ",
  "/a",
  "//",
  "[t",
  "..",
];
const tails = ["", "\0", "/\0"];
const attacks = [
  ...units.flatMap((unit) => tails.map((tail) => ({ head: "", unit, tail }))),
  { head: "fe80::1%", unit: "%", tail: "\n%" },
  { head: "/", unit: "/a", tail: "/" },
  { head: 'filename="', unit: '\\"', tail: "" },
];
/** An input's expressions look at the whole of it. */
const endless = attacks.filter(({ head, tail }) => head === "" && tail === "");

/** In characters. */
const short = 1_000;
const growth = 32;

/** Milliseconds of this thread's processor: on a busy machine the time on the clock says nothing. */
function worked(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * The texts that take more than eight times the work of the same characters in 32 texts. Where the work is quadratic, it is 32 times; and
 * then no processor gets through the long text within the milliseconds under which nothing is compared.
 */
function slowTexts(read: (text: string) => unknown, texts = attacks): string[] {
  return texts.flatMap(({ head, unit, tail }) => {
    const text = (length: number) => head + unit.repeat(Math.ceil(length / unit.length)) + tail;
    const [brief, long] = [text(short), text(short * growth)];
    function readBriefs(): void {
      for (let times = 0; times < growth; times += 1) read(brief);
    }
    function isSlow(): boolean {
      const took = worked(() => read(long));
      return took > 10 && took > 8 * worked(readBriefs);
    }
    return isSlow() && isSlow() ? [`${head}${unit.repeat(3)}…${tail}`] : [];
  });
}

/** Runs a reader that may refuse a text. */
function tolerant(read: (text: string) => unknown): (text: string) => unknown {
  return (text) => {
    try {
      return read(text);
    } catch {
      return null;
    }
  };
}

const call = { api: "reseller", method: "GET", path: "/services", now: 0, secrets: [], warn() {} } as const;
const entry = {
  id: "3f0f0f0f-0000-4000-8000-000000000001",
  name: "web-1",
  aliases: [],
  state: "running",
  project: "",
  detail: "",
};

const readers: Record<string, (text: string) => unknown> = {
  "the path of a request": (text) => withStar(pathIn({ url: text })),
  "a body of Slack": (text) => readPayload("application/json", Buffer.from(text)),
  "a form of Slack": (text) => readPayload("application/x-www-form-urlencoded", Buffer.from(`payload=${text}`)),
  "a check of Slack's": (text) => isBareSslCheck(text, Buffer.from(text)),
  "a JSON text": wellFormedJson,
  "a command": (text) => parseCommand(registry, "rackbell", text),
  "a command of a noun": (text) => parseCommand(registry, "vps", `reboot ${text}`),
  "words of a command": (text) => tokenize(text).tokens.map(({ text }) => quoted(text)),
  "text that a member sees": readPlainText,
  "a mention": (text) => withoutMention("UANA", text),
  "secrets in a message": findSecrets,
  "words of a message": splitWords,
  "a name": (text) => namesMeant(text).map(foldedName),
  "an address": (text) => foldedName(`fe80::1%${text}`),
  "the name of a machine": (text) => entriesMeant([entry], text, [text]),
  "a time": (text) => readScheduledTime({ at: text }, { now: 0, zone: "UTC" }),
  "a span": (text) => readScheduledTime({ in: text }, { now: 0, zone: "UTC" }),
  "a provider's values": (text) => [readParams(text), readTexts(text)],
  "a provider's state": powerWord,
  "a path of a game server": (text) => [folderOf(text), nameIn(text), typable(text), entryOf({ name: text }, "/")],
  "an answer of the platform": (text) => partSecrets({ text, [text]: text, list: [[text, text]] }, { links: true }),
  "a field of the platform": (text) => [
    namesSecret(text),
    labelled(text),
    valueWords(text, text),
    valueWords("price", text),
  ],
  "an answer that the spec does not show": (text) => jsonBlocks({ [text]: text, price: text, note: text }),
  "a file of the platform": preformatted,
  "a refusal of the platform": (text) => readResellerRefusal({ success: false, error: text }, 403),
  "the name of a file": (text) =>
    readDownload(
      { status: 200, headMs: 0, headers: { "content-disposition": text }, content: Buffer.of() },
      call,
      readResellerRefusal,
    ),
  "an amount": (text) => [Amount.safeParse(text), money(text, "EUR")],
  "a moment": moment,
  "a table": (text) => csvText({ columns: [text], rows: [[text], [{ words: text }]] }, "Europe/Madrid"),
  "text for Slack": (text) => [code(text), prose(text), oneLine(text), clipMarkup(text, 3_000), withArticle(text)],
  "text for a notification": (text) => [unmarked(text)],
  "text for an agent": unmarkedText,
  "text for the page of a passkey": (text) => plainWithNames(text, new Map(), "Europe/Madrid"),
  "the names of a document": (text) => mentions(text, ["web-1", text.slice(0, 100)]),
  "a line of the log": scrub,
};

describe("work that grows with the length of the text alone", () => {
  test.each(Object.entries(readers))("%s", (_, read) => {
    expect(slowTexts(tolerant(read))).toEqual([]);
  });

  test.each(registry.all.map((operation) => [operation.command, operation] as const))(
    "each input of /%s",
    (_, operation) => {
      const fields = Object.entries(operation.input.shape);
      const slow = fields.flatMap(([name, schema]) =>
        slowTexts(
          tolerant((text) => schema.safeParse(text)),
          endless,
        ).map((text) => `${name}: ${text}`),
      );
      expect(slow).toEqual([]);
    },
  );
});
