import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first: begun late, one of them would run alone at the end. A fresh clone knows no durations. */
const longest = [
  "simulation/simulation",
  "torture/torture",
  "stories/instances-crash",
  "stories/crash",
  "stories/money",
  "stories/stopping",
  "browser/page",
  "stories/reseller/unsettled",
  "stories/reseller/receiving-crash",
  "stories/instances-freeze",
  "storage/redis/outage",
  "stories/loosening",
  "stories/slack-process",
  "stories/instances-events",
  "stories/kinds",
  "image",
  "stories/planned",
  "stories/reseller/alerts",
  "stories/reseller/money",
  "stories/faults",
  "stories/service-money",
  "stories/reseller/expected",
  "storage/redis/takeover",
  "stories/copy-first",
  "stories/policy",
  "stories/ruled-projects",
  "stories/own-doing",
  "polling/reseller",
  "polling/polling",
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
