/** More names than are in use at once: beyond, those with a free turn are forgotten. */
const mostNames = 1_000;

/** Takes turns as `Engine.turn`. One number for each name says how far its taken turns reach. */
export function createTurns(now: () => number): (name: string, burst: number, everyMs: number) => number {
  const reaches = new Map<string, number>();
  return (name, burst, everyMs) => {
    const start = now();
    const reach = Math.max(reaches.get(name) ?? 0, start);
    const wait = reach - start - (burst - 1) * everyMs;
    if (wait > 0) return wait;
    reaches.set(name, reach + everyMs);
    if (reaches.size > mostNames) for (const [old, end] of reaches) if (end <= start) reaches.delete(old);
    return 0;
  };
}
