import type { Story } from "./story.ts";

/** Every read of this path is answered as the first one was: the platform shows nothing that came since. */
export function showNothingNew({ platform }: Story, path: string): void {
  let first: unknown;
  const rewrite = (body: unknown) => {
    first ??= body;
    return first;
  };
  platform.faults.next({ how: { rewrite }, method: "GET", path, times: 1_000 });
}

/** An accepted write of this path is answered with this instead of the row of its job; the spec leaves the form open. */
export function answerWith({ platform }: Story, path: string, data: object): void {
  platform.faults.next({ how: { rewrite: () => ({ success: true, data }) }, method: "POST", path });
}

/** Lets time pass without an end: an early one would be in the channel by then. */
export async function waits(story: Story, seconds: number): Promise<void> {
  const polls = () => story.platform.calls().filter(({ method }) => method === "GET").length;
  const before = polls();
  const until = story.clock.now() + seconds * 1_000;
  await story.passes(() => story.clock.now() >= until && polls() > before + 1, "the time for an early end", 5_000);
}
