import { hasRedis } from "./redis.ts";
import { comparedRow, type Goal, type Row } from "./report.ts";
import { type Compared, inTurns } from "./rounds.ts";

/** The programs that do the same job as the app, as the rows call them. */
const names = {
  bullmq: "Bolt + BullMQ",
  chatSdk: "Chat SDK + Redis",
  bolt: "Bolt of 40 lines",
  limit: "the limit program",
};
export type Other = keyof typeof names;

const withRedis: readonly Other[] = ["bullmq", "chatSdk"];

/** The programs that this machine can start. */
export const others: readonly Other[] = [...(hasRedis ? withRedis : []), "bolt", "limit"];

/** A line that says which programs were left out, and why; none where all can be started. */
export const leftOut: readonly Row[] = leftOutOf(hasRedis);

export function leftOutOf(redis: boolean): Row[] {
  if (redis) return [];
  const figure = "left out: there is no redis-server here, which they need";
  return [{ what: withRedis.map((name) => names[name]).join(" and "), figure, goal: "", met: null }];
}

/** The goals of a measure, by the program that they compare with. A row without one only shows its figure. */
export type Goals = Partial<Record<Other, Goal>>;

/** The figures of the app and of another program, round by round. */
export interface Against<T> {
  name: Other;
  app: T[];
  other: T[];
}

/** Measures the app and each other program in turn. */
export async function againstOthers<Side, T>(
  rounds: number,
  sides: Readonly<Record<"app" | Other, Side>>,
  work: (side: Side) => Promise<T>,
): Promise<Against<T>[]> {
  const turns = [sides.app, ...others.map((name) => sides[name])].map((side) => () => work(side));
  const [app = [], ...found] = await inTurns(rounds, turns);
  return others.map((name, at) => ({ name, app, other: found[at] ?? [] }));
}

/** A row for each other program. */
export function rowsAgainst<T>(
  what: string,
  found: readonly Against<T>[],
  ratio: (sides: Against<T>) => Compared,
  shown: (figure: number) => string,
  goals: Goals = {},
): Row[] {
  return found.map((sides) =>
    comparedRow(`${what}, against ${names[sides.name]}`, ratio(sides), goals[sides.name] ?? null, shown),
  );
}
