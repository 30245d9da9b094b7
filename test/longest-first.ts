import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first: begun late, one of them would run alone at the end. A fresh clone knows no durations. */
const longest = [
  "simulation/simulation",
  "browser/page",
  "stories/instances-crash",
  "storage/redis",
  "stories/instances-freeze",
  "stories/crash",
  "torture/torture",
  "engine/offered",
  "browser/newcomer",
  "storage/embedded",
  "browser/incident",
  "storage/redis/outage",
  "storage/tool",
  "storage/redis/takeover",
  "stories/slack-process",
  "stories/stopping",
  "stories/reseller/receiving-crash",
  "stories/reseller/money",
  "stories/money",
  "stories/kinds",
  "stories/reseller/unsettled",
  "stories/ruled-projects",
  "stories/planned",
  "stories/reseller/expected",
  "stories/reseller/addons",
  "stories/loosening",
  "stories/service-money",
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
