/**
 * A time as clocks on a wall show it, kept as the milliseconds that it would be in UTC. Made with `Date.UTC`, read with `getUTC…`.
 */
export type WallTime = number;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether a text is a time zone that is known here, by its IANA name. */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What clocks in a zone show at a moment (milliseconds since the epoch). */
export function wallTimeOf(at: number, zone: string): WallTime {
  const parts = formatOf(zone).formatToParts(at);
  const part = (wanted: Intl.DateTimeFormatPartTypes) => Number(parts.find(({ type }) => type === wanted)?.value);
  const whole = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return whole + (((at % 1_000) + 1_000) % 1_000);
}

/** The moments at which clocks in a zone show a time: two where they are set back over it, none where they are set forward over it. */
export function momentsOf(wall: WallTime, zone: string): number[] {
  const moments = offsetsAround(wall, zone).map((offset) => wall - offset);
  return [...new Set(moments)].filter((at) => wallTimeOf(at, zone) === wall).toSorted((a, b) => a - b);
}

/** The moment that is meant by a time that clocks in a zone pass over: as long after the change as it is after the clocks' last minute. */
export function momentPassedOver(wall: WallTime, zone: string): number {
  return wall - Math.min(...offsetsAround(wall, zone));
}

/** What the zone's clocks are ahead of UTC by, a day before and a day after. */
function offsetsAround(wall: WallTime, zone: string): number[] {
  return [wall - day, wall + day].map((at) => wallTimeOf(at, zone) - at);
}

const day = 24 * 60 * 60_000;

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: zone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23" },
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
  });
  formats.set(zone, format);
  return format;
}
