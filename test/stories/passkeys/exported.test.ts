import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import {
  CheckpointBody,
  checkpointNote,
  digestOfCheckpoint,
  entryPlace,
  readNote,
} from "../../../src/audit/checkpoint.ts";
import { checkExported } from "../../../src/audit/exported.ts";
import { digestOfEntry, digestOfText } from "../../../src/audit/proof.ts";
import { canonicalJson } from "../../../src/process/json.ts";
import type { Request } from "../../../src/requests/request.ts";
import { ownFolder } from "../../own-folder.ts";
import { passHours } from "../admins.ts";
import { agentsOn, connect, newToken } from "../agents/agent.ts";
import { createAuthenticator } from "./authenticator.ts";
import { exportedFile, signedStory } from "./exported-file.ts";
import { confirm, pressForLink, protectedStory, site } from "./passkeys.ts";

const Line = z.record(z.string(), z.json());
type Line = z.infer<typeof Line>;

/** A genuine file, and the newest checkpoint as it was kept outside. Made once, by the story of the first test that asks. */
interface Genuine {
  text: string;
  lines: Line[];
  note: string;
}
let made: Promise<Genuine> | null = null;

function genuineFile(): Promise<Genuine> {
  made ??= makeFile();
  return made;
}

/** It begins after two members made their first passkeys, so that it has registrations, entries and checkpoints. */
async function makeFile(): Promise<Genuine> {
  const { story } = await signedStory();
  const [, second] = linesOf(await exportedFile(story, story.ana)).filter(({ what }) => what === "passkey added");
  const since = new Date(Date.parse(String(second?.at)) + 1_000).toISOString();
  const text = await exportedFile(story, story.ana, `everyone=yes since=${since.replace(/\.\d+/, "")}`);
  const lines = linesOf(text);
  const checkpoints = lines.flatMap(({ checkpoint }) => (checkpoint ? [CheckpointBody.parse(checkpoint)] : []));
  const last = checkpoints.at(-1);
  return { text, lines, note: last ? checkpointNote({ number: last.number, digest: digestOfCheckpoint(last) }) : "" };
}

function linesOf(text: string): Line[] {
  return text
    .trim()
    .split("\n")
    .map((line) => Line.parse(JSON.parse(line)));
}

function textOf(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The path to each value in a line, objects and lists included. */
function pathsIn(value: z.core.util.JSONType, path: string[] = []): string[][] {
  const here = path.length > 0 ? [path] : [];
  if (typeof value !== "object" || value === null) return here;
  return [...here, ...Object.entries(value).flatMap(([name, part]) => pathsIn(part, [...path, name]))];
}

type Json = z.core.util.JSONType;

/** The line with another value at the path; `undefined` deletes it. */
function changed(line: Line, path: readonly string[], change: (value: Json) => Json | undefined): Line {
  const copy: Line = structuredClone(line);
  const parent = path
    .slice(0, -1)
    .reduce<Json>((at, name) => (at && typeof at === "object" ? Reflect.get(at, name) : null), copy);
  const last = path.at(-1) ?? "";
  if (typeof parent !== "object" || parent === null) throw new Error(`There is no ${path.join(".")}`);
  const next = change(Reflect.get(parent, last));
  if (next === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, next);
  return copy;
}

/** Another value of the same type. */
function other(value: Json): Json {
  if (typeof value === "string")
    return /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(Date.parse(value) + 1).toISOString() : `${value}x`;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return value === null ? "x" : Array.isArray(value) ? [...value, "x"] : { ...value, more: "x" };
}

/** Another value, and for what is not deep in a line none. */
function changesAt(path: readonly string[]): ((value: Json) => Json | undefined)[] {
  return path.length > 2 ? [other] : [other, () => undefined];
}

interface Variant {
  path: string[];
  line: Line;
}

/** The line with one value that is changed, deleted or added, for each place in it. */
function variantsOf(line: Line): Variant[] {
  const changes = pathsIn(line).flatMap((path) =>
    changesAt(path).map((change) => ({ path, line: changed(line, path, change) })),
  );
  return [{ path: ["more"], line: { ...line, more: "x" } }, ...changes];
}

/** The verdict on a file with each variant. Signatures are checked in other threads, so all at once. */
async function verdictsOf(variants: Variant[], fileWith: (line: Line) => string) {
  return Promise.all(
    variants.map(async ({ path, line }) => ({ place: path.join("."), is: (await checkExported(fileWith(line))).is })),
  );
}

const isEntry = (line: Line) => typeof line.what === "string";
const isSigned = (line: Line) => "assertion" in line;

/** Seals the lines anew, as a forger can: it takes no key. */
function resealed(lines: readonly Line[]): object[] {
  const entries = new Map(
    lines.filter(isEntry).map((line) => {
      const { id, at, subjects, ...data } = line;
      const entry = { id: String(id), at: Date.parse(String(at)), subjects: z.array(z.string()).parse(subjects), data };
      return [entryPlace(entry.id), digestOfEntry(entry)];
    }),
  );
  const sealed = lines.map((line) => {
    if (!line.checkpoint) return line;
    const body = CheckpointBody.parse(line.checkpoint);
    const places = body.marks.flatMap((mark) => {
      const place = mark.split(".")[0] ?? "";
      return entries.has(place) ? [place] : [];
    });
    const digests = places.map((place) => entries.get(place) ?? "");
    const marks = places.map((place, at) => `${place}.${digests[at]?.slice(0, 8)}`);
    return { checkpoint: { ...body, marks, digest: digestOfText(digests.join()) } };
  });
  return relinked(sealed);
}

/** Puts the checkpoints into one chain anew, and counts the lines. */
function relinked(lines: readonly Line[]): object[] {
  const bodies = lines.flatMap(({ checkpoint }) => (checkpoint ? [CheckpointBody.parse(checkpoint)] : []));
  for (const [at, body] of bodies.entries()) {
    const before = bodies[at - 1];
    if (before) body.previous = digestOfCheckpoint(before);
  }
  const last = bodies.at(-1);
  const all = lines.filter(isEntry);
  const header = {
    ...lines[0],
    entries: all.length,
    checkpoints: bodies.length,
    from: all[0]?.id ?? null,
    through: all.at(-1)?.id ?? null,
    newest: last ? `${last.number}.${digestOfCheckpoint(last)}` : null,
  };
  const others = lines.slice(1).filter(({ checkpoint }) => !checkpoint);
  return [header, ...others, ...bodies.map((checkpoint) => ({ checkpoint }))];
}

test("any value that is changed, deleted or added anywhere in the file is noticed, without the app and without a checkpoint", async () => {
  const genuine = await genuineFile();
  expect(await checkExported(genuine.text)).toMatchObject({ is: "fits", fault: null, gaps: [], proven: 9 });
  expect(genuine.lines.filter(({ registration }) => registration)).toHaveLength(2);
  for (const [at, line] of genuine.lines.entries())
    for (const { place, is } of await verdictsOf(variantsOf(line), (forged) => textOf(genuine.lines.with(at, forged))))
      expect.soft(is, `${at} ${line.what} ${place}`).not.toBe("fits");
}, 120_000);

/**
 * No passkey signs these parts of a decision's entry, so that a checkpoint from outside alone proves them: the guide names them. The time of
 * an entry is proven to some minutes, since it comes after the page.
 */
const unproven = new Set(["id", "at", "subjects", "proof", "outcome", "alone", "channel"]);

test("a forger who seals a changed file anew cannot change a signed decision, except for what the guide names", async () => {
  const genuine = await genuineFile();
  for (const [at, line] of genuine.lines.entries()) {
    if (!isSigned(line)) continue;
    const variants = variantsOf(line).filter(({ path }) => !unproven.has(path[0] ?? ""));
    for (const { place, is } of await verdictsOf(variants, (forged) =>
      textOf(resealed(genuine.lines.with(at, forged))),
    )) {
      // Without its signature, a decision is one that took none.
      if (place !== "assertion" || is !== "fits") expect.soft(is, `${at} ${line.what} ${place}`).not.toBe("fits");
    }
  }
}, 120_000);

test("a decision that is told as a denial, for another machine, of another member or at another time is forged", async () => {
  const genuine = await genuineFile();
  const at = genuine.lines.findIndex(({ what }) => what === "approved");
  const line = genuine.lines[at] ?? {};
  const proof = z.record(z.string(), z.string()).parse(line.proof);
  const lies: Line[] = [
    { what: "denied" },
    { command: "vps reboot" },
    { target: { id: "vps-9", name: "db-9" } },
    { member: "T1:U9", slackUser: "U9" },
    { decidedBy: null },
    { at: new Date(Date.parse(String(line.at)) + 3_600_000).toISOString() },
    { keyLabel: "other" },
    { reason: "Another reason" },
    { at: String(line.at).replace("Z", "000Z") },
    ...["none", { ...proof, more: "x" }, { ...proof, withheld: "x" }].map((other) => ({ proof: other })),
  ];
  for (const lie of lies) {
    const forged = resealed(genuine.lines.with(at, { ...line, ...lie }));
    expect.soft(await checkExported(textOf(forged)), JSON.stringify(lie)).toMatchObject({ is: "forged" });
  }
  const later = genuine.lines.findIndex(({ what }) => what === "scheduled");
  const scheduled = changed(genuine.lines[later] ?? {}, ["assertion", "statement", "scheduledFor"], other);
  expect(await checkExported(textOf(resealed(genuine.lines.with(later, scheduled))))).toMatchObject({ is: "forged" });
});

test("no digest of a signed statement is another's: each request and each command has a salt of its own", async () => {
  const { lines } = await genuineFile();
  const Signed = z.object({ statement: z.object({ random: z.string(), digests: z.record(z.string(), z.string()) }) });
  const salted = lines.filter((line) => isSigned(line) && line.what !== "passkey added");
  const statements = new Map(
    salted.map(({ assertion }) => Signed.parse(assertion).statement).map(({ random, digests }) => [random, digests]),
  );
  const digests = [...statements.values()].flatMap((each) => Object.values(each));
  expect(statements.size).toBeGreaterThan(4);
  expect(new Set(digests).size).toBe(digests.length);
});

test("signatures that are swapped between entries, planted passkeys and malleated signatures are forged", async () => {
  const genuine = await genuineFile();
  const signed = genuine.lines.flatMap((line, at) => (isSigned(line) ? [at] : []));
  for (const one of signed)
    for (const two of signed) {
      const [first, second] = [genuine.lines[one], genuine.lines[two]];
      if (one === two || !first?.assertion || !second?.assertion) continue;
      if (canonicalJson(first.assertion) === canonicalJson(second.assertion)) continue;
      const forged = resealed(genuine.lines.with(one, { ...first, assertion: second.assertion }));
      expect.soft(await checkExported(textOf(forged)), `${one} ${two}`).toMatchObject({ is: "forged" });
    }
  const at = genuine.lines.findIndex(({ what }) => what === "approved");
  const malleated = changed(genuine.lines[at] ?? {}, ["assertion", "signature"], (signature) =>
    highS(String(signature)),
  );
  expect(await checkExported(textOf(resealed(genuine.lines.with(at, malleated))))).toMatchObject({
    is: "forged",
    fault: { why: "not signed" },
  });
  const removal = genuine.lines.findIndex(({ what }) => what === "passkey removed");
  const thief = { is: "registered", member: "T1:U1", credential: createAuthenticator().id, publicKey: "AA", ...site };
  const planted = { ...genuine.lines[removal], what: "passkey added", passkeys: [{ ...thief, proof: "passkey" }] };
  expect(await checkExported(textOf(resealed(genuine.lines.with(removal, Line.parse(planted)))))).toMatchObject({
    is: "forged",
  });
});

/** The same signature with n − s in place of s, which a plain check of ES256 accepts as well. */
function highS(signature: string): string {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const bytes = Buffer.from(signature, "base64url");
  const start = 6 + (bytes[3] ?? 0);
  const s = BigInt(`0x${bytes.subarray(start).toString("hex")}`);
  const high = Buffer.from((order - s).toString(16).padStart(64, "0"), "hex");
  const whole = (high[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.from([0]), high]) : high;
  const head = Buffer.concat([bytes.subarray(2, start - 1), Buffer.from([whole.length]), whole]);
  return Buffer.concat([Buffer.from([0x30, head.length]), head]).toString("base64url");
}

test("a file that is cut, filtered or empty is incomplete and never forged, whatever is cut", async () => {
  const genuine = await genuineFile();
  const { lines, text } = genuine;
  const none = resealed(lines.filter((line) => !isEntry(line) && !line.checkpoint));
  expect(await checkExported(textOf(none))).toMatchObject({ is: "incomplete", gaps: [{ is: "empty" }] });
  for (const [at] of lines.entries()) {
    expect
      .soft(await checkExported(textOf(lines.toSpliced(at, 1))), `without ${at}`)
      .toMatchObject({ is: "incomplete" });
    expect.soft(await checkExported(textOf(lines.slice(at + 1))), `after ${at}`).toMatchObject({ is: "incomplete" });
  }
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 2), async (length) => {
      expect((await checkExported(text.slice(0, length))).is).toBe("incomplete");
    }),
    { numRuns: 60 },
  );
  const doubles = fc.tuple(fc.nat(lines.length - 1), fc.nat(lines.length - 1));
  await fc.assert(
    fc.asyncProperty(doubles, async ([one, two]) => {
      fc.pre(one !== two);
      const [first, second] = [lines[one] ?? {}, lines[two] ?? {}];
      expect((await checkExported(textOf(lines.with(one, second).with(two, first)))).is).not.toBe("fits");
      expect((await checkExported(textOf(lines.toSpliced(one, 0, second)))).is).not.toBe("fits");
    }),
    { numRuns: 60 },
  );
}, 120_000);

test("against a checkpoint that was kept outside, a file that was sealed anew is forged, and one without its end is incomplete", async () => {
  const genuine = await genuineFile();
  const noted = readNote(genuine.note) ?? null;
  expect(await checkExported(genuine.text, noted)).toMatchObject({ is: "fits", isNoted: true });
  const entries = genuine.lines.flatMap((line, at) => (isEntry(line) ? [at] : []));
  for (const at of entries) {
    const line = genuine.lines[at] ?? {};
    for (const path of [["outcome"], ["at"], ["assertion"]]) {
      if (!(path[0] && path[0] in line)) continue;
      const forged = resealed(
        genuine.lines.with(at, changed(line, path, path[0] === "assertion" ? () => undefined : other)),
      );
      expect.soft((await checkExported(textOf(forged), noted)).is, `${at} ${path}`).toBe("forged");
    }
    const without = resealed(genuine.lines.toSpliced(at, 1));
    expect.soft((await checkExported(textOf(without), noted)).is, `without ${at}`).not.toBe("fits");
  }
  const last = genuine.lines.findLastIndex((line) => line.checkpoint);
  const older = resealed(genuine.lines.toSpliced(last, 1));
  const later = { number: (noted?.number ?? 0) + 1, digest: noted?.digest ?? "" };
  for (const [text, note, gap] of [
    [genuine.text, later, { is: "checkpoint missing", number: later.number }],
    [textOf(older), null, { is: "no checkpoint" }],
  ] as const)
    expect(await checkExported(text, note)).toMatchObject({ is: "incomplete", fault: null, gaps: [gap] });
  for (const at of entries.slice(1, -1))
    expect(await checkExported(textOf(relinked(genuine.lines.toSpliced(at, 1))))).toMatchObject({
      is: "incomplete",
      gaps: [{ is: "entry missing", place: String(Number(genuine.lines[at]?.id)) }],
    });
});

test("a checkpoint that does not fit its entries, or says that they were strange, is noticed in whatever chain it comes", async () => {
  const genuine = await genuineFile();
  const checkpoints = genuine.lines.flatMap((line, at) => (line.checkpoint ? [at] : []));
  expect(await checkExported(textOf(relinked(genuine.lines)))).toMatchObject({ is: "fits" });
  for (const at of checkpoints.slice(1)) {
    const body = CheckpointBody.parse(genuine.lines[at]?.checkpoint);
    const [mark = ""] = body.marks;
    const differences: Partial<CheckpointBody>[] = [
      { severed: true },
      { strange: [mark.split(".")[0] ?? ""] },
      { digest: digestOfText("another") },
      { marks: body.marks.map((each) => `${each}x`) },
      { number: body.number + 1 },
    ];
    for (const differs of differences) {
      const forged = relinked(genuine.lines.with(at, { checkpoint: { ...body, ...differs } }));
      expect.soft((await checkExported(textOf(forged))).is, `${at} ${JSON.stringify(differs)}`).not.toBe("fits");
    }
  }
  // The lines of one kind come together, in the order of a genuine file.
  const registration = genuine.lines.findLastIndex((line) => line.registration);
  for (const [from, to] of [
    [registration, genuine.lines.length],
    [checkpoints[0] ?? 0, registration + 1],
  ] as const) {
    const moved = genuine.lines.toSpliced(from, 1).toSpliced(from < to ? to - 1 : to, 0, genuine.lines[from] ?? {});
    expect(await checkExported(textOf(moved))).toMatchObject({ is: "forged", fault: { why: "out of order" } });
  }
});

test("`npm run verify` says what it found in words and by its exit code, and a missing file is a sentence", async () => {
  const genuine = await genuineFile();
  const folder = ownFolder();
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const run = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["src/app/tools/script.js", "src/app/tools/verify.ts", ...words],
      {
        encoding: "utf8",
      },
    );
    return { status, text: `${stdout}${stderr}` };
  };
  const whole = file("whole.json", genuine.text);
  expect(run(whole)).toEqual({ status: 0, text: expect.stringMatching(/\d+ entries.*9 signatures.*Not proven/s) });
  expect(run(whole, genuine.note)).toEqual({ status: 0, text: expect.stringContaining("no entry was changed, added") });
  const at = genuine.lines.findIndex(({ what }) => what === "approved");
  const denied = textOf(genuine.lines.with(at, { ...genuine.lines[at], what: "denied" }));
  expect(run(file("denied.json", denied))).toEqual({ status: 1, text: expect.stringContaining(`Line ${at + 1}`) });
  expect(run(file("cut.json", genuine.text.slice(0, -900)))).toEqual({
    status: 2,
    text: expect.stringMatching(/INCOMPLETE.*in the middle of a line/s),
  });
  expect(run(file("empty.json", ""))).toEqual({ status: 2, text: expect.stringContaining("It has no entries") });
  expect(run(join(folder, "nowhere.json"))).toEqual({
    status: 3,
    text: expect.stringMatching(/^There is no file .*\.\n$/),
  });
  expect(run(folder).status).toBe(3);
  for (const other of ["time,who,act\n2026-01-01,ana,vps.stop\n", "SQLite format 3\0", '{"rackbell":"logs"}\n'])
    expect(run(file("other", other))).toEqual({
      status: 3,
      text: expect.stringMatching(/is no audit log that was exp/),
    });
  expect(run(whole, "12").status).toBe(3);
});

test("a file of one member, or about one thing, is incomplete; none has an input, a key or the salt", async () => {
  const { story, devices } = await protectedStory({ rule: "demand=one-approval risk=change passkey=yes" });
  const { ana, ben, caro } = story;
  const command = '/vps snapshot web-1 name=night description="Words that nobody else reads"';
  const card = await story.ask(ana, command, "This needs a passkey");
  await confirm(story, await pressForLink(story, caro, card), devices.caro);
  const about = await exportedFile(story, ana, "web-1 everyone=yes");
  expect(await checkExported(about)).toMatchObject({ is: "incomplete", fault: null, proven: 3 });
  expect(await checkExported(await exportedFile(story, ben, ""))).toMatchObject({ is: "incomplete", fault: null });
  const own = await checkExported(await exportedFile(story, caro, ""));
  expect(own).toMatchObject({ is: "incomplete", fault: null });
  // The entries that register passkeys are other members'.
  await story.ask(ben, "/vps snapshot web-2 name=own", "This needs a passkey");
  const lines = linesOf(await exportedFile(story, ben, "web-2"));
  expect(lines.filter(isEntry).length).toBeGreaterThan(0);
  expect(lines.filter(({ registration }) => registration)).toEqual([]);
  const text = await exportedFile(story, ana);
  expect(await checkExported(text)).toMatchObject({ is: "fits", proven: 3 });
  expect(text).not.toContain("Words that nobody");
  for (const secret of story.secrets) expect(text).not.toContain(secret);
});

test("a reason that its requester alone has seen, theirs or their agent's, is in no admin's file, also not in what a passkey signed; and the file fits", async () => {
  const { story, devices } = await protectedStory({
    rule: "demand=confirm risk=spend passkey=yes",
    environment: agentsOn,
  });
  const { ana, caro, platform } = story;
  const secrets = ["A client asked for it", "The client said so"];
  const body = { success: false, error: "Insufficient permissions", code: "FORBIDDEN" };
  platform.faults.next({ how: { status: 403, body }, method: "POST", path: "/services/{id}/renew", times: 2 });
  const agent = await connect(story, await newToken(story, ana, "claude", "may=propose channel=#ops"));
  await ana.type(`/service renew db-1 reason="${secrets[0]}"`);
  await agent.call("propose", { command: "service renew", target: "web-1", why: secrets[1], key: "renew-web-1" });
  for (const [place, name, secret = ""] of [
    ["#ops", "db-1", secrets[0]],
    ["dm", "web-1", secrets[1]],
  ] as const) {
    const card = await story.seesIn(place, ana, name, secret);
    await confirm(story, await pressForLink(story, ana, card), devices.ana);
    const isRefused = ({ target, state }: Request) => target?.name === name && state === "refused";
    await story.slack.until(() => [...story.requests.values()].some(isRefused), `the refusal of ${name}`);
  }
  const text = await exportedFile(story, caro);
  expect(await checkExported(text)).toMatchObject({ is: "fits" });
  const signed = linesOf(text).filter((line) => line.command === "service renew" && isSigned(line));
  expect(signed.map(({ alone }) => alone)).toEqual([true, true]);
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test("after AUDIT_RETENTION has cut the entries off that register a passkey, a genuine file still fits", async () => {
  const { story, devices } = await protectedStory({ environment: { AUDIT_RETENTION: "90d" } });
  const { ana, caro } = story;
  await passHours(story, 1);
  story.clock.skip(95 * 24 * 60 * 60_000);
  await passHours(story, 2);
  const card = await story.ask(ana, "/vps cancel web-2", "This needs a passkey");
  await confirm(story, await pressForLink(story, caro, card), devices.caro);
  await story.sees(ana, ":white_check_mark:", "`web-2` ends");
  let text = "";
  await expect
    .poll(
      async () => {
        await passHours(story, 1);
        text = await exportedFile(story, ana);
        return linesOf(text).filter(isEntry)[0]?.what;
      },
      { timeout: 30_000 },
    )
    .toBe("asked");
  expect(await checkExported(text)).toMatchObject({ is: "fits", proven: 3 });
  expect(linesOf(text).filter(({ registration }) => registration)).toHaveLength(2);
  await story.ask(ana, "/rackbell audit verify", "is whole", "3 signatures by passkeys are proven");
});
