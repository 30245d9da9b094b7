import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import headless, { type IBufferCell } from "@xterm/headless";
import { systemClock } from "../../src/process/clock.ts";
import { freePort } from "../../src/sandbox/bench/ports.ts";
import { startPractice } from "../../src/sandbox/practice.ts";
import { openTerminal, type Terminal } from "../app/setup/terminal.ts";

const cols = 96;
const rows = 34;

/** Records the real setup in a terminal, between the practice Slack and platform, as a picture that moves. */
export async function recordSetup(file: string): Promise<void> {
  const practice = await startPractice({ clock: systemClock, manifest: {} });
  const folder = mkdtempSync(join(tmpdir(), "rackbell-recording-"));
  const [browser, opened] = [join(folder, "browser.sh"), join(folder, "opened.txt")];
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${opened}'\n`);
  chmodSync(browser, 0o755);
  const { slack, platform } = practice;
  const env = {
    PATH: process.env.PATH ?? "",
    SLACK_API_URL: slack.apiUrl,
    HOST: "127.0.0.1",
    PORT: String(await freePort()),
    BROWSER: browser,
  };
  const terminal = await openTerminal([resolve("src/start.js"), "setup"], { cwd: folder, env, cols, rows });
  if (terminal === null) throw new Error("This machine has no pseudo-terminal for Node.");
  try {
    const screens = await followed(terminal, [
      ["of its panel, or of its API", () => terminal.enters(new URL(platform.url).origin)],
      ["How do Slack and Rackbell reach each other?", () => terminal.press("enter")],
      ["Slack's page for a new app", () => terminal.press("enter")],
      [
        "Paste the app-level token",
        () => {
          const [link = ""] = readFileSync(opened, "utf8").split("\n");
          slack.manifest(JSON.parse(new URL(link).searchParams.get("manifest_json") ?? ""));
          terminal.enters(slack.appToken);
        },
      ],
      ["Paste the bot token", () => terminal.enters(slack.botToken)],
      ["Start Rackbell now?", () => terminal.press("enter")],
      ["Rackbell is ready", () => {}],
    ]);
    writeFileSync(file, moving(screens));
  } finally {
    terminal.kill("SIGKILL");
    await terminal.ended;
    await practice.close();
    rmSync(folder, { recursive: true });
  }
}

/** Does each step when its text is shown. Resolves with the screen at each step. */
async function followed(terminal: Terminal, steps: [text: string, act: () => void][]): Promise<string[]> {
  const screens: string[] = [];
  for (const [text, act] of steps) {
    await terminal.sees(text);
    screens.push(await drawn(terminal.pieces.map((piece) => piece.text).join("")));
    act();
  }
  return screens;
}

const cell = { width: 8.4, height: 18 };
const palette = ["#1d2733", "#e5645b", "#5fc08a", "#e3b654", "#6aa5f0", "#c58af0", "#4fc3d0", "#d5dde6", "#7d8b9a"];
const [background = "", , , , , , , foreground = "", grey = ""] = palette;

/** The screen after these bytes, as the parts of an SVG. */
async function drawn(bytes: string): Promise<string> {
  const screen = new headless.Terminal({ cols, rows, allowProposedApi: true });
  await new Promise<void>((done) => screen.write(bytes, done));
  const { active } = screen.buffer;
  const lines = Array.from({ length: rows }, (_, y) => {
    const line = active.getLine(active.viewportY + y);
    const cells = Array.from({ length: cols }, (_, x) => line?.getCell(x)).filter((one) => one !== undefined);
    return runsIn(cells, (y + 1) * cell.height);
  });
  screen.dispose();
  return lines.join("");
}

/** The cells of a line that look the same, side by side, as one text each. */
function runsIn(cells: IBufferCell[], y: number): string {
  const runs: { x: number; text: string; style: string }[] = [];
  for (const [x, one] of cells.entries()) {
    const [text, style, last] = [one.getChars() || " ", styleIn(one), runs.at(-1)];
    if (last?.style === style) last.text += text;
    else runs.push({ x, text, style });
  }
  return runs
    .filter(({ text }) => text.trim() !== "")
    .map(({ x, text, style }) => {
      const shown = text.trimEnd();
      const escaped = shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      const [at, width] = [x * cell.width, [...shown].length * cell.width].map((one) => one.toFixed(1));
      return `<text x="${at}" y="${y}" ${style} textLength="${width}">${escaped}</text>`;
    })
    .join("");
}

function styleIn(one: IBufferCell): string {
  const color = one.isFgPalette() ? (palette[one.getFgColor()] ?? foreground) : foreground;
  return `fill="${one.isDim() || one.isInvisible() ? grey : color}"`;
}

/** The screens one after the other, for ever; the last one alone for those who want nothing to move. */
function moving(screens: string[]): string {
  const seconds = screens.map((_, at) => (at === screens.length - 1 ? 6 : 3));
  const all = seconds.reduce((sum, one) => sum + one, 0);
  const [width, height] = [Math.ceil(cols * cell.width + 32), rows * cell.height + 32];
  const rules = screens.map((_, at) => {
    const from = seconds.slice(0, at).reduce((sum, one) => sum + one, 0);
    const [begin, end] = [from, from + (seconds[at] ?? 0)].map((one) => ((one / all) * 100).toFixed(2));
    const show = at === 0 ? `0%{opacity:1}` : `0%{opacity:0}${begin}%{opacity:1}`;
    return `@keyframes s${at}{${show}${at === screens.length - 1 ? "" : `${end}%{opacity:0}`}}#s${at}{animation:s${at} ${all}s step-end infinite}`;
  });
  const still = `@media (prefers-reduced-motion:reduce){g{animation:none!important}#s${screens.length - 1}{opacity:1}}`;
  const groups = screens.map((screen, at) => `<g id="s${at}">${screen}</g>`).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 -12 ${width} ${height}" xml:space="preserve" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">
<title>The setup of Rackbell in a terminal</title>
<style>text{white-space:pre}g{opacity:0}${rules.join("")}${still}</style>
<rect x="-16" y="-12" width="${width}" height="${height}" rx="8" fill="${background}"/>
${groups}
</svg>
`;
}
