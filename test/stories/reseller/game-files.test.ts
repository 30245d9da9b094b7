import { expect, test } from "vitest";
import { entryOf } from "../../../src/operations/reseller/game/paths.ts";
import { goAhead, type Message, type Story, said } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

const names = [
  "plain.txt",
  "two  blanks.txt",
  'it\'s "new" “old”.txt',
  "a`tick`.txt",
  "gru\u0308\u00dfe.txt",
  "日本 \u{1f5fa}.txt",
  "<b>&.txt",
  "x=y path=z.txt",
  "*bold* _and_ ~so~.txt",
  `${"long ".repeat(40)}name.txt`,
];

/** The name of a file that is sent: on one line, and cut where it is very long. */
function asSent(name: string): string {
  return name.replaceAll(/ +/g, " ").slice(0, 120).trim();
}

interface Row {
  /** The path as it is shown. */
  shown: string;
  /** The control to choose or press, and the way to it. */
  act: (label: string) => Promise<unknown>;
}

/** The rows of a listing, with the acts on each. */
function rowsOf(story: Story, message: Message): Row[] {
  const { ana } = story;
  return message.blocks.flatMap((block, at) => {
    const shown = /^:\w+: `([^`]+)`/.exec(JSON.parse(JSON.stringify(block)).text?.text ?? "")?.[1];
    if (shown === undefined) return [];
    const accessory = JSON.parse(JSON.stringify(block)).accessory;
    const below = JSON.stringify(message.blocks[at + 1] ?? {});
    const plain = shown.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
    return [
      {
        shown: plain,
        act: (label) =>
          accessory ? ana.choose(message, accessory.action_id, label) : ana.press(message, idOf(below, label)),
      },
    ];
  });
}

function idOf(block: string, label: string): string {
  const element = JSON.parse(block).elements.find(({ text }: { text: { text: string } }) => text.text === label);
  return element.action_id;
}

async function listed(story: Story, folder: string): Promise<Row[]> {
  const { ana } = story;
  return rowsOf(
    story,
    await story.ask(ana, `/reseller game files BOR-003 path=${folder}`, "on `arena-1.example.test`*:"),
  );
}

// The layout decides how a row is read, and the name how its path is passed on: not each name is needed in each layout.
test.each([
  [0, names],
  [1, names.slice(0, 4)],
])(
  "every file, whatever its name, is opened, downloaded, renamed and deleted by a press on its row (%s)",
  async (shape, names) => {
    const story = await startResellerStory();
    const { ana, platform, slack } = story;
    platform.settings.shapes.payload = shape;
    const { id } = platform.find("arena-1");
    const has = (path: string) => platform.reseller.gamePaths(id).includes(path);
    platform.reseller.putGameFile(id, "/odd/", "");
    for (const name of names) {
      platform.reseller.putGameFile(id, `/odd/${name}`, `one\n  two of ${names.indexOf(name)}\n`);
      const renamedTo = `new ${names.indexOf(name)}.txt`;
      const [row, ...others] = await listed(story, "/odd");
      expect(others).toEqual([]);
      await row?.act("Open");
      await story.sees(ana, `one\n  two of ${names.indexOf(name)}`);
      await row?.act("Download");
      await story.passes(() => slack.state().files.at(-1)?.name === asSent(name), "the file comes");
      await row?.act("Rename…");
      await story.modal(ana, "New name");
      await ana.fill({ "New name": renamedTo });
      await ana.submit();
      await story.passes(() => has(`/odd/${renamedTo}`), "the new name is there");
      expect(has(`/odd/${name}`)).toBe(false);
      const [renamed] = await listed(story, "/odd");
      await renamed?.act("Delete…");
      const answer = () => ana.sees().find((one) => said(one).includes(`${renamedTo}\` will be deleted`));
      await ana.press(await story.passes(answer, "it is asked"), goAhead);
      await story.passes(() => !has(`/odd/${renamedTo}`), "it is gone");
      expect(platform.reseller.gamePaths(id).filter((path) => path.startsWith("/odd/"))).toEqual(["/odd/"]);
    }
  },
);

test("every path works as the list shows it, in a command, in code marks and in a form", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.settings.shapes.payload = 0;
  const { id } = platform.find("arena-1");
  platform.reseller.putGameFile(id, "/my  odd folder/", "");
  for (const name of names)
    platform.reseller.putGameFile(id, `/my  odd folder/${name}`, `it is ${names.indexOf(name)}!`);
  const rows = await listed(story, '"/my odd folder"');
  expect(rows).toHaveLength(names.length);
  const found = new Set<string>();
  for (const { shown } of rows) {
    const read = said(await story.ask(ana, `/reseller game file read BOR-003 path=${shown}`, /it is \d!/));
    found.add(/it is \d!/.exec(read)?.[0] ?? "");
    await ana.type("/reseller game file rename BOR-003");
    await story.modal(ana, "New name");
    await ana.fill({ Path: `\`${shown}\``, "New name": "/server.properties" });
    await ana.submit();
    await story.sees(ana, "exists already");
  }
  expect(found.size).toBe(names.length);
});

test("a file of a folder that two names fit is never guessed", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const { id } = platform.find("arena-1");
  for (const name of ["a  b.txt", "a   b.txt"]) platform.reseller.putGameFile(id, `/config/${name}`, name);
  await story.ask(ana, '/reseller game file read BOR-003 path="/config/a b.txt"', "not on it");
  await story.ask(ana, '/reseller game file delete BOR-003 path="/config/a b.txt"', "asks to", "`/config/a b.txt`");
  expect(resellerWrites(story)).toEqual([]);
});

test("a file is written in a form, with its lines, and a change without its values opens one", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  for (const op of ["mkdir", "rename", "delete", "write", "compress", "decompress", "chmod", "link"]) {
    await ana.type(`/reseller game file ${op} BOR-003`);
    await story.modal(ana, "Path");
    await ana.closeModal();
  }
  await ana.type("/reseller game file write BOR-003");
  await story.modal(ana, "Content");
  await ana.fill({ Path: "/config/motd.txt", Content: "Hello\n  you" });
  await ana.submit();
  const request = await story.sees(
    ana,
    "asks to *Write file ",
    "the new content will replace `/config/motd.txt`",
    "Write motd.txt",
  );
  await story.pressing(ana, request, goAhead, "`/config/motd.txt` was written");
  await story.ask(ana, "/reseller game file read BOR-003 path=/config/motd.txt", "Hello\n  you");
});

test.each([
  ["chmod", 'mode=644 body="mode=777"', ["the mode of `/server.properties` will be `777`"]],
  ["rename", 'to=old.txt body="to=/new.txt"', ["`/server.properties` will be renamed to `/new.txt`"]],
  ["delete", `body='{"paths":["/world"]}'`, ["`/server.properties` and `/world` will be deleted"]],
  ["compress", `body='{"paths":["/world"]}'`, ["an archive of `/server.properties` and `/world` will be made"]],
  ["mkdir", 'body="path=/maps"', ["the folder `/maps` will be made"]],
])(
  "the request for file %s names each value that is sent, also where a body replaces one (%s)",
  async (op, values, texts) => {
    const story = await startResellerStory({ rules: ["demand=confirm command=reseller"] });
    await story.ask(story.ana, `/reseller game file ${op} BOR-003 path=/server.properties ${values}`, ...texts);
  },
);

test.each([
  [
    { name: "a", type: "directory" },
    { path: "/c/a", isFolder: true },
  ],
  [
    { name: "a/", size: 1 },
    { name: "a", path: "/c/a", isFolder: true },
  ],
  [{ name: "a", is_file: false }, { isFolder: true }],
  [{ name: "a", isFile: true }, { isFolder: false }],
  [{ name: "a", mode: "drwxr-xr-x" }, { isFolder: true }],
  [{ name: "a", permissions: "-rw-r--r--" }, { isFolder: false }],
  [{ name: "a", mode: "0644" }, { isFolder: null }],
  [{ name: "a", type: "symlink" }, { isFolder: null }],
  [
    { name: "a", directory: "/c" },
    { path: "/c/a", isFolder: null },
  ],
  [{ path: "/c/a" }, { name: "a", path: "/c/a" }],
  [{ name: "a", path: "/c" }, { path: "/c/a" }],
  [{ name: "a", path: "c/a" }, { path: "/c/a" }],
  [
    { name: "c", path: "/c/c/" },
    { path: "/c/c", isFolder: null },
  ],
])("a row of a listing is read in any of its usual forms (%j)", (row, expected) => {
  expect(entryOf(row, "/c")).toMatchObject(expected);
});
