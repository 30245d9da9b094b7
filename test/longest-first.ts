import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first: begun late, one of them would run alone at the end. A fresh clone knows no durations. */
const longest = [
  "stories/faults/instances-crash",
  "simulation/simulation",
  "storage/redis",
  "stories/faults/crash",
  "stories/faults/instances-freeze",
  "torture/torture",
  "browser/newcomer",
  "storage/redis/outage",
  "stories/passkeys/commands",
  "stories/requests/scheduled",
  "storage/tool",
  "stories/passkeys/deciding",
  "stories/requests/lost-charges",
  "browser/incident",
  "stories/faults/slack-process",
  "browser/page",
  "stories/requests/approving",
  "stories/passkeys/instances",
  "stories/reseller/alerts",
  "stories/reseller/lost-answers",
  "stories/faults/lost-answers",
  "commands/offered",
  "stories/customer/renewals-and-upgrades",
  "operation/wrong-turns",
  "alerts/polling/polling",
  "storage/sqlite",
  "browser/passkeys",
  "image",
  "stories/agents/instances",
  "stories/reseller/own-events",
  "stories/passkeys/attacks",
  "stories/requests/rules-of-moves",
  "stories/requests/one-answer",
  "stories/requests/looser-rules",
  "stories/faults/stopping",
].map((name) => `/test/${name}.test.ts`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(name));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
