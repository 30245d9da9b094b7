/** The setting by which the runner names the room to the configuration of vitest. */
export const roomSetting = "MUTATED_ROOM";

/** Tests that start processes, a redis-server or a browser, or read the code: each mutant would wait for them, or fail them all. */
const leftOut = [
  "test/storage/{redis,tool}.test.ts",
  "test/storage/redis/**",
  "test/storage/sqlite/power-cut.test.ts",
  "test/audit/redis.test.ts",
  "test/process/log.test.ts",
  "test/operation/wrong-turns.test.ts",
  "test/app/{doctor/doctor,installation,operating}.test.ts",
  "test/platform/routes.test.ts",
  "test/operations/{one-name,examples,consequences}.test.ts",
  "test/sandbox/{coverage,readme,bench/bench,page/emoji}.test.ts",
  "test/slack/catalogue.test.ts",
];

/** The tests that judge the mutants of a room: its own. Stories start the whole app, so each mutant would take minutes. */
export function testsOf(room: string): { include: string[]; exclude: string[] } {
  return { include: [`test/${room}/**/*.test.ts`], exclude: leftOut };
}
