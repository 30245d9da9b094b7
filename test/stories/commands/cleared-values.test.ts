import { expect, test } from "vitest";
import { fieldsOf } from "../../../src/operation/fields.ts";
import { operations } from "../../../src/operations/index.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { type Story, startStory } from "../story.ts";

const refused = { status: 400, body: { success: false, code: "BAD_REQUEST", error: "Expected a text" } };

interface Row {
  /** The command before `field=none`. */
  command: string;
  field: string;
  /** The field of the body, and the values that clear it: the second where the platform refuses the first. */
  sends: [string, null | [], ""?];
  /** The label of the field in the form, and how the answer ends. */
  label: string;
  says: string;
  /** A value to clear. */
  old: string;
  wing: "customer" | "reseller";
}

const customer = { command: "/reseller customer change acme-bakery", wing: "reseller" } as const;
const transit = { command: "/reseller service transit transit-1.example.test force=yes", wing: "reseller" } as const;
const project = { command: "/project change staging", wing: "customer" } as const;

/** Every stored value that can be cleared. */
const rows: Row[] = [
  {
    ...customer,
    field: "name",
    sends: ["externalCustomerName", null, ""],
    label: "New name",
    old: "Acme",
    says: "now has only your own id as a name",
  },
  {
    ...customer,
    field: "email",
    sends: ["externalCustomerEmail", null, ""],
    label: "New e-mail",
    old: "it@example.com",
    says: "no e-mail",
  },
  { ...transit, field: "set", sends: ["irrAsSet", null, ""], label: "AS set", old: "AS-OLD", says: "is configured" },
  {
    ...transit,
    field: "prefixes",
    sends: ["announcedPrefixes", []],
    label: "Announced prefixes",
    old: "192.0.2.0/24",
    says: "is configured",
  },
  {
    ...project,
    field: "description",
    sends: ["description", null, ""],
    label: "New description",
    old: "Old",
    says: "no description now",
  },
  {
    ...project,
    field: "color",
    sends: ["color", null, ""],
    label: "New colour",
    old: "#336699",
    says: "no colour now",
  },
];

/** Values that a resource always has, those that have a word of their own for none, and those whose form is a JSON object. */
const never = [
  ...["project change name", "project change slug", "reseller customer change metadata"],
  ...["vps move project", "service move project", "reseller service transit asn", "reseller service transit routes"],
  ...["reseller service options set options", "reseller webhook address url", "reseller webhook address test"],
  ...["reseller service rdns address"],
];

test("every value that an operation replaces can be cleared, or a resource always has it", () => {
  const found = operations.flatMap((operation) => {
    if (operation.api === "app" || operation.command.startsWith("reseller game ")) return [];
    const [act = ""] = operation.routes;
    if (!/^(PUT|PATCH) /.test(act)) return [];
    return fieldsOf(operation.input)
      .filter(({ name, clearable }) => !clearable && !["reason", "at", "in"].includes(name))
      .map(({ name }) => `${operation.command} ${name}`);
  });
  expect(found.sort()).toEqual([...never].sort());
  // The story of alert filters clears what `/rackbell alerts change` replaces: no resource of the platform has it.
  const clearable = operations
    .filter(({ api }) => api !== "app")
    .flatMap(({ command, input }) =>
      fieldsOf(input).flatMap((field) => (field.clearable ? [`/${command} ${field.name}`] : [])),
    );
  const listed = rows.map(({ command, field }) => `${command.replace(/ \S+( force=yes)?$/, "")} ${field}`);
  expect(clearable.sort()).toEqual([...listed, "/reseller service rdns hostname"].sort());
});

function storyFor({ wing }: Row): Promise<Story> {
  return wing === "reseller" ? startResellerStory() : startStory({ linked: ["ana"] });
}

function bodies(story: Story): unknown[] {
  return [...story.platform.calls()].flatMap(({ method, body }) =>
    method === "PUT" || method === "PATCH" ? [body] : [],
  );
}

test.each(rows)("$field=none of $command clears that field alone", async (row) => {
  const story = await storyFor(row);
  await story.ask(story.ana, `${row.command} ${row.field}=none`, row.says);
  const [field, cleared] = row.sends;
  expect(bodies(story)).toEqual([{ [field]: cleared }]);
});

test.each(rows.filter(({ sends }) => sends.length > 2))(
  "$field=none of $command sends an empty text if the platform refuses null",
  async (row) => {
    const story = await storyFor(row);
    story.platform.faults.next({ how: refused, method: row.wing === "reseller" ? "PUT" : "PATCH" });
    await story.ask(story.ana, `${row.command} ${row.field}=none`, row.says);
    const [field, cleared, empty] = row.sends;
    expect(bodies(story)).toEqual([{ [field]: cleared }, { [field]: empty }]);
  },
);

test.each(rows)("an empty $label in the form of $command clears that field, too", async (row) => {
  const story = await storyFor(row);
  const { ana, platform } = story;
  await story.ask(ana, `${row.command} ${row.field}=${row.old}`, "`");
  platform.clearCalls();
  await ana.type(row.command.replace(" force=yes", ""));
  await story.modal(ana, `"text":"${row.label}`, `"initial_value":"${row.old}"`, '"submit":{');
  await ana.fill({ [row.label]: "" });
  await ana.submit();
  const [field, cleared] = row.sends;
  if (row.field === "set" || row.field === "prefixes") {
    const question = await story.sees(ana, "off the internet");
    await ana.press(question, { index: 0 });
  }
  await story.slack.until(() => bodies(story).length > 0, "what is sent");
  expect(bodies(story)).toMatchObject([{ [field]: cleared }]);
});
