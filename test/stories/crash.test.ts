import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { createRegistry } from "../../src/operation/registry.ts";
import { operations } from "../../src/operations/index.ts";
import { type Practice, startPractice } from "../../src/sandbox/practice.ts";
import { type Actor, type Message, said } from "../../src/sandbox/slack/server.ts";
import { manifestOf } from "../../src/slack/manifest.ts";
import { fileStore, goAhead } from "./story.ts";

/** The app as a process of its own between a practice workspace and platform, so that it can be killed as a power cut would. */
async function theWorld() {
  const clock = systemClock;
  const practice = await startPractice({
    clock,
    manifest: manifestOf(createRegistry(operations)),
    // A snapshot takes 5 s: longer than the first look at it.
    pace: 8,
    environment: { STORE_URL: fileStore() },
  });
  onTestFinished(async () => {
    practice.platform.faults.resume();
    await practice.close();
  });
  return practice;
}

/** `ahead`: how much later it is for this process, so that nobody waits for what the app waits for. */
async function startProcess(practice: Practice, ahead = 0): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("./app-process.ts", import.meta.url));
  const child = spawn(process.execPath, [script, String(ahead)], {
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "", ...practice.environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => kill(child));
  // Its own word: the workspace may not have noticed yet that the killed one is gone.
  for await (const line of createInterface({ input: child.stdout })) if (line === "ready") break;
  child.stdout.resume();
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function link({ slack, platform }: Practice, actor: Actor): Promise<void> {
  await actor.type("/rackbell link");
  await slack.until(() => JSON.stringify(actor.modal() ?? {}).includes("API key"), "the form");
  await actor.fill({ "API key": platform.keys.ana.key });
  await actor.submit();
  await sees(slack, actor, "is linked");
}

function sees(slack: Practice["slack"], actor: Actor, ...texts: string[]): Promise<Message> {
  return slack.until(
    () => actor.sees().find((message) => texts.every((text) => said(message).includes(text))),
    `#ops to show ${texts.join(" + ")}; it shows ${actor.sees().map(said).join("\n---\n")}`,
  );
}

function writes({ platform }: Practice): string[] {
  return platform
    .calls()
    .filter(({ method }) => method !== "GET")
    .map(({ method }) => method);
}

test("killed between the claim and the answer, with the write done: it is found out after the restart and never sent again", async () => {
  const practice = await theWorld();
  const { slack, platform } = practice;
  const ana = slack.as("ana");
  const first = await startProcess(practice);
  await link(practice, ana);
  await ana.type("/vps cancel web-1");
  const request = await sees(slack, ana, "asks to");
  platform.faults.next({ how: "hang", method: "DELETE", applied: true });
  await ana.press(request, goAhead);
  await expect.poll(() => writes(practice), { timeout: 10_000 }).toEqual(["DELETE"]);
  await kill(first);
  await startProcess(practice, 60_000);
  await sees(slack, ana, ":white_check_mark: It was done after all");
  expect(writes(practice)).toEqual(["DELETE"]);
  await ana.press(request, goAhead);
  await sees(slack, ana, "was approved by", "and done");
  expect(writes(practice)).toEqual(["DELETE"]);
}, 60_000);

test("killed before the write took effect: it is not run again, and said to be not done", async () => {
  const practice = await theWorld();
  const { slack, platform } = practice;
  const ana = slack.as("ana");
  const first = await startProcess(practice);
  await link(practice, ana);
  await ana.type("/vps cancel web-1");
  const request = await sees(slack, ana, "asks to");
  platform.faults.next({ how: "hang", method: "DELETE" });
  await ana.press(request, goAhead);
  await expect.poll(() => writes(practice), { timeout: 10_000 }).toEqual(["DELETE"]);
  await kill(first);
  const second = await startProcess(practice, 60_000);
  // The one attempt may have been made just before the end, and a write may take effect late: it is waited for anew.
  await sees(slack, ana, "was interrupted", "it is not run again");
  await kill(second);
  await startProcess(practice, 10 * 60_000);
  await sees(slack, ana, "It was not done", "Look once more before you ask again");
  expect(writes(practice)).toEqual(["DELETE"]);
  expect(platform.findVps("web-1").cancellation).toBeNull();
}, 60_000);

test("killed while it followed: the next start goes on to the end", async () => {
  const practice = await theWorld();
  const { slack, platform } = practice;
  const ana = slack.as("ana");
  const first = await startProcess(practice);
  await link(practice, ana);
  await ana.type("/vps snapshot web-2 name=before");
  await sees(slack, ana, "Taking the snapshot");
  const looked = () => platform.calls().some(({ method, path }) => method === "GET" && path.endsWith("/snapshots"));
  await expect.poll(looked, { timeout: 10_000 }).toBe(true);
  await kill(first);
  await startProcess(practice, 60_000);
  await sees(slack, ana, "The snapshot `before` is taken");
  expect(writes(practice)).toEqual(["POST"]);
}, 60_000);

test("killed with a request open: it still waits after the restart, and runs once", async () => {
  const practice = await theWorld();
  const { slack } = practice;
  const ana = slack.as("ana");
  const first = await startProcess(practice);
  await link(practice, ana);
  await ana.type("/vps cancel web-1");
  const request = await sees(slack, ana, "asks to");
  await kill(first);
  await startProcess(practice, 60_000);
  await ana.press(request, goAhead);
  await sees(slack, ana, ":white_check_mark:", "You can keep it");
  expect(writes(practice)).toEqual(["DELETE"]);
}, 60_000);

test("killed in the middle of a new password: the password is offered to who asked, and the record goes from its beginning to its end", async () => {
  const practice = await theWorld();
  const { slack, platform } = practice;
  const ana = slack.as("ana");
  const first = await startProcess(practice);
  await link(practice, ana);
  platform.faults.next({ how: "hang", method: "POST", path: "/vps/{id}/password", applied: true });
  await ana.type("/vps password web-1");
  await slack.until(() => JSON.stringify(ana.modal() ?? {}).includes("New root password"), "the form");
  await ana.submit();
  await expect.poll(() => writes(practice), { timeout: 10_000 }).toEqual(["POST"]);
  await kill(first);
  // The clock of each start is so much further that the next look is due.
  let running = await startProcess(practice, 60_000);
  for (let minutes = 4; !offerOf(ana) && minutes < 30; minutes += 4) {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await kill(running);
    running = await startProcess(practice, minutes * 60_000);
  }
  const offer = await slack.until(() => offerOf(ana), "the offer of the password");
  await ana.press(offer, "Reveal");
  const password = platform.passwordOf("web-1") ?? "none";
  await slack.until(() => JSON.stringify(ana.modal() ?? {}).includes(password), "the password that is set");
  await ana.closeModal();
  await ana.type("/rackbell audit");
  await sees(slack, ana, "Audit entries", "could not be found out");
  expect(writes(practice)).toEqual(["POST"]);
}, 90_000);

function offerOf(actor: Actor): Message | undefined {
  return actor.sees("dm").find((message) => said(message).includes("if it took effect"));
}

test("killed with a press that had sent nothing: the next press goes on at once", async () => {
  const practice = await theWorld();
  const { slack, platform } = practice;
  const ana = slack.as("ana");
  const first = await startProcess(practice);
  await link(practice, ana);
  await ana.type("/vps cancel web-1");
  const request = await sees(slack, ana, "asks to");
  platform.clearCalls();
  platform.faults.hang("/vps/{id}");
  await ana.press(request, goAhead);
  await expect.poll(() => platform.calls().length, { timeout: 10_000 }).toBeGreaterThan(0);
  await kill(first);
  platform.faults.resume();
  await startProcess(practice);
  await ana.press(request, goAhead);
  await sees(slack, ana, ":white_check_mark:", "You can keep it");
  expect(writes(practice)).toEqual(["DELETE"]);
}, 60_000);
