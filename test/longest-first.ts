import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first: begun late, one of them would run alone at the end. A fresh clone knows no durations. */
const longest = [
  "simulation/simulation",
  "stories/faults/instances-crash",
  "storage/redis",
  "stories/faults/crash",
  "stories/faults/instances-freeze",
  "torture/torture",
  "browser/newcomer",
  "storage/redis/outage",
  "browser/page",
  "storage/tool",
  "stories/passkeys/deciding",
  "stories/requests/scheduled",
  "stories/requests/lost-charges",
  "stories/faults/slack-process",
  "storage/redis/takeover",
  "browser/incident",
  "stories/customer/renewals-and-upgrades",
  "stories/reseller/lost-orders",
  "stories/faults/stopping",
  "stories/agents/attacks",
  "stories/reseller/alerts",
  "stories/agents/instances",
  "stories/requests/looser-rules",
  "stories/faults/lost-answers",
  "engine/offered",
  "stories/passkeys/instances",
  "polling/reseller",
  "stories/reseller/lost-answers",
  "stories/reseller/receiving-crash",
  "storage/embedded",
  "image",
  "audit/verify",
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
