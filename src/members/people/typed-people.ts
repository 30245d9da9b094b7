import type { Choice } from "../../operation/call-context.ts";
import { wrongInput } from "../../operation/errors.ts";
import { foldedName } from "../../operation/matching.ts";
import { characters, type PlainText, plainly } from "../../process/plain-text.ts";
import { clip, listing } from "../../views/text.ts";
import type { AccessApp } from "../access/access.ts";
import { slackUserOf } from "../identities/link.ts";
import { whyLeftOut } from "../slack-user.ts";
import type { PeopleList } from "./people-list.ts";
import { type OnCallApp, readRotations } from "./rotations.ts";

/** The parts of the app that know people, groups and rotations by name. */
export interface PeopleApp extends OnCallApp, Pick<AccessApp, "identities"> {}

/** A word of a typed list: an id that Slack put in the place of a mention, or a name. */
export interface TypedPerson {
  is: "user" | "group" | "agents" | "name";
  /** The id, or the name without its "@". */
  word: string;
}

/** More people than this are a group. */
const most = 50;

/** Splits a typed list: "<@U1> <!subteam^S1|@ops>, night @ana". Accepts any text and never throws. Each word once. */
export function splitPeople(text: string): TypedPerson[] {
  const words = text.split(/[\s,;]+/).flatMap((typed) => {
    const word = typed.replace(/^<(.*)>$/, "$1").split("|", 1)[0] ?? "";
    const bare = word.replace(/^!subteam\^/, "").replace(/^@/, "");
    return bare === "" ? [] : [{ is: kindOf(bare), word: bare }];
  });
  return [...new Map(words.map((one) => [`${one.is} ${one.word}`, one])).values()];
}

function kindOf(word: string): TypedPerson["is"] {
  if (/^[UW][A-Z0-9]{5,}$/.test(word)) return "user";
  if (/^S[A-Z0-9]{5,}$/.test(word)) return "group";
  return word.toLowerCase() === "agents" ? "agents" : "name";
}

/**
 * Reads a typed list. Throws an InputError about the field for a name that nobody has or several have, and for somebody who may not use
 * Rackbell. `agents`: the word `agents` means members' agents.
 */
export async function readPeopleList(
  app: PeopleApp,
  text: string,
  { field, agents = false }: { field: string; agents?: boolean },
): Promise<PeopleList> {
  const words = splitPeople(text);
  if (words.length === 0) throw wrongInput(field, "Choose at least one person, group or rotation.");
  if (words.length > most)
    throw wrongInput(field, `Name at most ${most} people and groups. A group names more of them.`);
  const list: PeopleList = { users: [], groups: [], rotations: [], agents: false };
  for (const one of words) {
    if (one.is === "agents" && agents) list.agents = true;
    else if (one.is === "user") await addUser(app, list, one.word, field);
    else if (one.is === "group") list.groups.push({ id: one.word, name: await groupName(app, one.word) });
    else await addNamed(app, list, one.word, field);
  }
  return { ...list, users: [...new Set(list.users)], groups: unique(list.groups), rotations: unique(list.rotations) };
}

function unique<T extends { id: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

async function addUser(app: PeopleApp, list: PeopleList, user: string, field: string): Promise<void> {
  // If Slack does not answer for them, they are taken: each use of the list checks them again.
  const person = await app.people.person(user).catch(() => null);
  const problem = person && whyLeftOut(person);
  if (person && problem) throw wrongInput(field, plainly`${person.name} ${problem}, so they cannot be named here.`);
  list.users.push(user);
}

/** The handle of a group; its id where Slack does not give it. */
async function groupName(app: PeopleApp, id: string): Promise<PlainText> {
  const read = await app.people.groups();
  return ("groups" in read ? read.groups.find((group) => group.id === id)?.handle : undefined) ?? id;
}

async function addNamed(app: PeopleApp, list: PeopleList, name: string, field: string): Promise<void> {
  const found = (await allNamed(app)).filter(({ names }) => names.some((one) => foldedName(one) === foldedName(name)));
  const [only] = found;
  const typed = clip(name, 60);
  if (!only)
    throw wrongInput(
      field,
      `there is no person, group or rotation “${typed}” that I know. Choose them from Slack's list while you type.`,
    );
  if (found.length > 1)
    throw wrongInput(
      field,
      plainly`“${typed}” can be ${listing(
        found.map(({ label }) => label),
        "or",
      )}: choose one.`,
    );
  only.addTo(list);
}

/** Somebody, or a group, that can be named. */
interface Nameable {
  /** The word that names it in a list. */
  value: string;
  label: PlainText;
  names: PlainText[];
  addTo: (list: PeopleList) => void;
}

/** The rotations, the groups, and the people of the workspace. Those who have linked a key are among them in a large one, too. */
async function allNamed(app: PeopleApp): Promise<Nameable[]> {
  const { people, identities } = app;
  const rotations = await readRotations(app);
  const read = await people.groups();
  const groups = "groups" in read ? read.groups : [];
  const linked = (await identities.all()).flatMap((links) => slackUserOf(links) ?? []);
  const listed = new Map((await people.everybody()).map((person) => [person.id, person]));
  for (const user of linked) {
    const person = listed.get(user) ?? (await people.person(user).catch(() => null));
    if (person) listed.set(user, person);
  }
  return [
    ...rotations.map(({ id, name }) => ({
      value: characters(name),
      label: plainly`${name} (rotation)`,
      names: [name],
      addTo: (list: PeopleList) => list.rotations.push({ id, name }),
    })),
    ...groups.map(({ id, handle }) => ({
      value: `@${id}`,
      label: plainly`@${handle} (group)`,
      names: [handle],
      addTo: (list: PeopleList) => list.groups.push({ id, name: handle }),
    })),
    ...[...listed.values()]
      .filter((person) => whyLeftOut(person) === null)
      .map(({ id, name }) => ({
        value: `@${id}`,
        label: plainly`@${name}`,
        names: [name, characters(name).replaceAll(/\s+/g, "")],
        addTo: (list: PeopleList) => list.users.push(id),
      })),
  ];
}

/** All that a form's field of people offers, or its user groups alone. */
export async function peopleChoices(app: PeopleApp, groupsAlone = false): Promise<Choice[]> {
  const named = (await allNamed(app)).filter(({ value }) => !groupsAlone || splitPeople(value)[0]?.is === "group");
  return named.map(({ value, label }) => ({ value, label }));
}

/** The choices that a field shows for a list as `peopleText` writes it. */
export async function chosenPeople(app: PeopleApp, text: string): Promise<Choice[]> {
  const offered = await peopleChoices(app);
  return Promise.all(
    splitPeople(text).map(async ({ is, word }) => {
      const value = is === "user" || is === "group" ? `@${word}` : word;
      const known = offered.find((choice) => choice.value === value);
      if (known) return known;
      const person = is === "user" ? await app.people.person(word).catch(() => null) : null;
      return { value, label: person ? plainly`@${person.name}` : value };
    }),
  );
}
