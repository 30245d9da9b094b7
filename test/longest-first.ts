import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first: begun late, one of them would run alone at the end. A fresh clone knows no durations. */
const longest = [
  "simulation/simulation",
  "storage/embedded",
  "browser/page",
  "storage/redis",
  "stories/crash",
  "stories/instances-crash",
  "torture/torture",
  "stories/reseller/receiving-crash",
  "stories/instances-freeze",
  "stories/stopping",
  "stories/slack-process",
  "storage/redis/outage",
  "storage/redis/takeover",
  "stories/money",
  "stories/reseller/money",
  "browser/newcomer",
  "stories/reseller/unsettled",
  "stories/kinds",
  "stories/faults",
  "stories/service-money",
  "stories/ruled-projects",
  "stories/planned",
  "stories/loosening",
  "stories/authorship",
  "stories/reseller/addons",
  "stories/reseller/alerts",
  "stories/repeats",
  "stories/own-doing",
  "stories/policy",
  "stories/copy-first",
  "image",
  "audit/verify",
  "storage/tool",
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
