import { isObject } from "../wire/json.ts";

/** Why a workspace refuses blocks that Slack has not brought to it yet; nothing where it has them all. */
export function notComeYet(blocks: unknown, withoutBlocks: ReadonlySet<string>, at: string): string[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.flatMap((block, index) =>
    isObject(block) && typeof block.type === "string" && withoutBlocks.has(block.type)
      ? [`[ERROR] unsupported type: ${block.type} [json-pointer:${at}/${index}/type]`]
      : [],
  );
}

/** True if an app is to blame for a refusal: it cannot know which blocks a workspace does not have yet. */
export function isToBlame(reasons: string[], withoutBlocks: ReadonlySet<string>): boolean {
  const unknown = [...withoutBlocks].map((type) => `unsupported type: ${type} `);
  return !reasons.some((reason) => unknown.some((words) => reason.includes(words)));
}
