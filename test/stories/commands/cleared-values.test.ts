import { expect, test } from "vitest";
import { fieldsOf } from "../../../src/operation/fields.ts";
import { operations } from "../../../src/operations/index.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { goAhead, type Message, type Story, said } from "../story.ts";

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
  // The story of alert filters clears what `/rackbell alerts set` replaces: no resource of the platform has it.
  const clearable = operations
    .filter(({ api }) => api !== "app")
    .flatMap(({ command, input }) =>
      fieldsOf(input).flatMap((field) => (field.clearable ? [`/${command} ${field.name}`] : [])),
    );
  const listed = rows.map(({ command, field }) => `${command.replace(/ \S+( force=yes)?$/, "")} ${field}`);
  expect(clearable.sort()).toEqual([...listed, "/reseller service rdns hostname"].sort());
});

function bodies(story: Story): unknown[] {
  return [...story.platform.calls()].flatMap(({ method, body }) =>
    method === "PUT" || method === "PATCH" ? [body] : [],
  );
}

test("none clears a field alone, and sends an empty text if the platform refuses null", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana, clock, platform } = story;
  for (const { command, field, sends, says, wing } of rows) {
    const [name, cleared, empty] = sends;
    platform.clearCalls();
    const answer = await story.ask(ana, `${command} ${field}=none`, field === "prefixes" ? "will be withdrawn" : says);
    if (field === "prefixes") await story.pressing(ana, answer, goAhead, says);
    expect(bodies(story), `${command} ${field}`).toEqual([{ [name]: cleared }]);
    if (empty === undefined) continue;
    platform.clearCalls();
    // The same command within a moment would count as a double press.
    clock.skip(60_000);
    platform.faults.next({ how: refused, method: wing === "reseller" ? "PUT" : "PATCH" });
    await story.ask(ana, `${command} ${field}=none`, says);
    expect(bodies(story), `${command} ${field}`).toEqual([{ [name]: cleared }, { [name]: empty }]);
  }
});

test("an empty field in the form of a command clears that value, too", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const { command, field, sends, label, old } of rows) {
    platform.clearCalls();
    await story.ask(ana, `${command} ${field}=${old}`, "`");
    // The answer may be that of the form before.
    await story.passes(() => bodies(story).length > 0, `that ${command} sets ${field}`);
    platform.clearCalls();
    await ana.type(command.replace(" force=yes", ""));
    await story.modal(ana, `"text":"${label}`, `"initial_value":"${old}"`, '"submit":{');
    const before = new Set(ana.sees().map(({ ts }) => ts));
    await ana.fill({ [label]: "" });
    await ana.submit();
    const [name, cleared] = sends;
    if (field === "set" || field === "prefixes") {
      const isQuestion = (message: Message) => !before.has(message.ts) && said(message).includes("off the internet");
      const question = await story.passes(() => ana.sees().find(isQuestion), "the question");
      await ana.press(question, field === "prefixes" ? goAhead : { index: 0 });
    }
    await story.passes(() => bodies(story).length > 0, `what ${command} sends`);
    expect(bodies(story), `${command} ${field}`).toMatchObject([{ [name]: cleared }]);
  }
});
