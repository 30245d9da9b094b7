import { expect, test } from "vitest";
import { actions, type Block, button, header, section } from "../../src/views/blocks.ts";
import { withButtonNames } from "../../src/views/button-names.ts";

const open = (id: string) => button("Open", `open:${id}`, id);

function namesIn(blocks: Block[]): string[] {
  return [...JSON.stringify(withButtonNames({ blocks })).matchAll(/"accessibility_label":"([^"]*)"/g)].map(
    ([, name = ""]) => name,
  );
}

test("of several buttons with one label, each names the thing of its row", () => {
  expect(namesIn([section(":white_circle: `web-1` · Production", open("1")), section("`web-2`", open("2"))])).toEqual([
    "Open web-1",
    "Open web-2",
  ]);
  const decide = (id: string) => actions([button("Approve…", id, id), button("Deny…", `no ${id}`, id)], id);
  expect(
    namesIn([
      section("*Cancel `web-1`* · asked by <@U1>"),
      ...decide("a"),
      section("*Reboot `web-1`*"),
      ...decide("b"),
    ]),
  ).toEqual(["Approve… Cancel web-1", "Deny… Cancel web-1", "Approve… Reboot web-1", "Deny… Reboot web-1"]);
});

test("a name keeps the characters that would be marks outside of code, and a mention is left out", () => {
  const bold = (name: string) => `*Cancel \`${name}\`* · asked by <@U1>`;
  const texts = ["`2001:db8::beef:1`", "`web*-1`", "`&lt;b&gt;`"];
  expect(namesIn(texts.map((text) => section(text, open(text))))).toEqual([
    ...["Open 2001:db8::beef:1", "Open web*-1", "Open <b>"],
  ]);
  expect(
    namesIn([section(bold("web*-1"), open("1")), section(bold("web*-1").replace("Cancel", "Stop"), open("2"))]),
  ).toEqual([...["Open Cancel web*-1", "Open Stop web*-1"]]);
});

test("a button whose label stands once keeps its own words alone", () => {
  const blocks = [section("`web-1`", open("1")), ...actions([button("Refresh", "refresh", "-")])];
  expect(withButtonNames({ blocks })).toEqual({ blocks });
});

test("things of one name, and of a name that is too long, are told apart by their number in 75 characters", () => {
  const long = `\`${"a".repeat(90)}\``;
  const names = namesIn([
    header("Rackbell"),
    ...[long, long, "`web-1`"].map((text, at) => section(text, open(`${at}`))),
  ]);
  expect(new Set(names).size).toBe(3);
  expect(names.every((name) => name.length <= 75 && name.startsWith("Open "))).toBe(true);
  expect(names[2]).toBe("Open web-1, 3 of 3");
});
