/**
 * A time as clocks on a wall show it, kept as the milliseconds that it would be in UTC. Made with `Date.UTC`, read with `getUTC…`.
 */
export type WallTime = number;

const formats = new Map<string, Intl.DateTimeFormat>();

/** True if a text is an IANA time zone that this runtime knows. */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The wall time in a zone at a moment (milliseconds since the epoch). */
export function wallTimeOf(at: number, zone: string): WallTime {
  const parts = formatOf(zone).formatToParts(at);
  const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts.find(({ type }) => type === name)?.value);
  const whole = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return whole + (((at % 1_000) + 1_000) % 1_000);
}

/** The moments of a wall time in a zone: two if the clocks are set back over it, none if they are set forward over it. */
export function momentsOf(wall: WallTime, zone: string): number[] {
  const moments = offsetsAround(wall, zone).map((offset) => wall - offset);
  return [...new Set(moments)].filter((at) => wallTimeOf(at, zone) === wall).toSorted((a, b) => a - b);
}

/** The moment for a wall time that the clocks skip: as long after the change as the time is after the last minute before it. */
export function momentPassedOver(wall: WallTime, zone: string): number {
  return wall - Math.min(...offsetsAround(wall, zone));
}

/** The zone's offsets to UTC in milliseconds, a day before and a day after. */
function offsetsAround(wall: WallTime, zone: string): number[] {
  return [wall - dayMs, wall + dayMs].map((at) => wallTimeOf(at, zone) - at);
}

const dayMs = 24 * 60 * 60_000;

function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, format);
  return format;
}
