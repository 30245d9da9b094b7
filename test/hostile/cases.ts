import type { PlatformOperation } from "../../src/operation/operation.ts";
import { operations } from "../../src/operations/index.ts";
import { contentShapes, hasValue, type Shape, silentShapes, wholeShapes, wrongShapes } from "./answers.ts";
import { placesIn } from "./fields.ts";
import { slackShapes } from "./slack-answers.ts";

/** The parts of the whole: fields that say nothing, fields that say something else, answers that are broken, answers to writes. */
export const parts = ["silent", "wrong", "whole", "writes", "slack"] as const;
export type Part = (typeof parts)[number];

/** One command, of which one route answers in one shape. */
export interface Case {
  part: Part;
  command: string;
  route: string;
  shape: Shape;
}

export function nameOfCase({ part, command, route, shape }: Case): string {
  return [part, command, route, shape.name].join(" | ");
}

const onPlatform = operations.filter((one): one is PlatformOperation => one.api !== "app");

/** True for a command of one of these risks; without any, for all. */
export function hasRisk(command: string, risks: readonly string[]): boolean {
  return risks.length === 0 || onPlatform.some((one) => one.command === command && risks.includes(one.risk));
}

/** The commands of a part; of Slack's, the lines. */
export function commandsOf(part: Part): readonly string[] {
  if (part === "slack") return slackLines;
  return onPlatform.filter((one) => part !== "writes" || one.risk !== "read").map(({ command }) => command);
}

/** Lines that have the app call Slack in most ways: a list, a form, a request with its edits, a file, groups. */
const slackLines = [
  "/vps list",
  "/vps cancel web-1",
  "/vps reinstall web-1",
  "/vps start web-3",
  "/rackbell audit everyone=yes export=yes",
  "/rackbell policy add demand=one-approval command=/vps-cancel approvers=@ops",
  "@Rackbell vps show web-1",
] as const;

/** The cases of a line in which Slack answers otherwise. */
export function slackCases(line: string, bodies: ReadonlyMap<string, readonly unknown[]>, elsewhere: string): Case[] {
  return [...bodies].flatMap(([route, answers]) => {
    if (!route.startsWith("slack ")) return [];
    const shapes = slackShapes(route.slice("slack ".length), answers, elsewhere);
    return shapes.map((shape): Case => ({ part: "slack", command: line, route, shape }));
  });
}

/** The cases of a command, from the bodies that its routes were answered with. */
export function casesOf(
  part: Part,
  command: string,
  bodies: ReadonlyMap<string, readonly unknown[]>,
  elsewhere: string,
): Case[] {
  return [...bodies].flatMap(([route, answers]) => {
    if (route.startsWith("slack ")) return [];
    const places = placesOf(answers);
    const shapes = shapesOf(part, places, answers, elsewhere);
    return shapes.map((shape): Case => ({ part, command, route, shape }));
  });
}

function shapesOf(
  part: Part,
  places: ReturnType<typeof placesIn>,
  answers: readonly unknown[],
  elsewhere: string,
): Shape[] {
  const valued = places.filter((place) => answers.some((answer) => hasValue(answer, place)));
  if (part === "silent") return valued.flatMap(silentShapes);
  if (part === "wrong") return valued.flatMap(wrongShapes);
  if (part === "whole") return [...wholeShapes(elsewhere), ...contentShapes];
  return [...wholeShapes(elsewhere), ...valued.flatMap(silentShapes)];
}

function placesOf(answers: readonly unknown[]): ReturnType<typeof placesIn> {
  const all = answers.flatMap(placesIn);
  return [...new Map(all.map((place) => [place.join("."), place])).values()];
}
