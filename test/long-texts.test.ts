import { expect, test } from "vitest";
import { wordsOf } from "../src/access/words.ts";
import { namesMeant } from "../src/operation/matching.ts";
import { readParams } from "../src/operations/kits/provider-action.ts";
import { entryOf, folderOf, nameIn } from "../src/operations/reseller/game/paths.ts";
import { partSecrets } from "../src/secret-parts.ts";
import { plainText } from "../src/slack/command/plain-text.ts";
import { preformatted } from "../src/views/preformatted.ts";
import { unmarked } from "../src/views/text.ts";
import { valueWords } from "../src/views/values.ts";

/** An expression that looks at each of these anew from each other one would take minutes over them, and the test would end as too slow. */
const many = 200_000;

test.each<[string, (run: (character: string) => string) => unknown, unknown]>([
  ["joiners in a command", (run) => plainText(`é${run("\u200d")}é`).length, many + 2],
  ["joiners of which one side is plain", (run) => plainText(`é${run("\u200d")}a`), "éa"],
  ["dots in a message", (run) => wordsOf(`a${run(".")}b`).words.length, 1],
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
