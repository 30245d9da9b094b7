const tokens = /\{([a-z_]+)\}/g;

/** Fills a `<!date>` format for `timeZone`; undefined when it asks for something unknown (then the fallback is shown). */
export function formatDate(ts, format, timeZone, now) {
  let known = true;
  const text = format.replace(tokens, (_, token) => {
    const value = tokenValue(token, new Date(ts * 1000), timeZone, now);
    if (value === undefined) known = false;
    return value ?? "";
  });
  return known ? text : undefined;
}

/** "9:05 AM" in `timeZone`. */
export function clockTime(date, timeZone) {
  return part(date, timeZone, { hour: "numeric", minute: "2-digit" });
}

/** "Today", "Yesterday" or "Friday, November 20th": the divider above a day's messages. */
export function dayLabel(date, timeZone, now) {
  return near(date, timeZone, now) ?? tokenValue("date_long_without_year", date, timeZone, now);
}

/** The same text for any two moments of one day in `timeZone`. */
export function dayKey(date, timeZone) {
  return part(date, timeZone, { year: "numeric", month: "2-digit", day: "2-digit" });
}

function tokenValue(token, date, timeZone, now) {
  const of = (options) => part(date, timeZone, options);
  const pretty = (plain) => near(date, timeZone, now)?.toLowerCase() ?? tokenValue(plain, date, timeZone, now);
  switch (token) {
    case "date_num":
      return `${of({ year: "numeric" })}-${of({ month: "2-digit" })}-${of({ day: "2-digit" })}`;
    case "date_slash":
      return of({ year: "numeric", month: "2-digit", day: "2-digit" });
    case "date":
      return `${of({ month: "long" })} ${ordinal(of({ day: "numeric" }))}, ${of({ year: "numeric" })}`;
    case "date_long":
      return `${of({ weekday: "long" })}, ${tokenValue("date", date, timeZone, now)}`;
    case "date_long_without_year":
      return `${of({ weekday: "long" })}, ${of({ month: "long" })} ${ordinal(of({ day: "numeric" }))}`;
    case "date_short":
      return of({ month: "short", day: "numeric", year: "numeric" });
    case "date_pretty":
      return pretty("date");
    case "date_long_pretty":
      return pretty("date_long");
    case "date_short_pretty":
      return pretty("date_short");
    case "time":
      return clockTime(date, timeZone);
    case "time_secs":
      return of({ hour: "numeric", minute: "2-digit", second: "2-digit" });
    case "ago":
      return ago((now - date.getTime()) / 1000);
    default:
      return undefined;
  }
}

function near(date, timeZone, now) {
  const key = dayKey(date, timeZone);
  const at = (days) => dayKey(new Date(now + days * 86_400_000), timeZone);
  if (key === at(0)) return "Today";
  if (key === at(-1)) return "Yesterday";
  if (key === at(1)) return "Tomorrow";
  return undefined;
}

function ago(seconds) {
  const size = Math.abs(seconds);
  const steps = [
    [60, 1, "second"],
    [3600, 60, "minute"],
    [86_400, 3600, "hour"],
    [Number.POSITIVE_INFINITY, 86_400, "day"],
  ];
  const [, unit, name] = steps.find(([below]) => size < below);
  const count = Math.floor(size / unit);
  const amount = `${count} ${name}${count === 1 ? "" : "s"}`;
  return seconds < 0 ? `in ${amount}` : `${amount} ago`;
}

function ordinal(day) {
  const number = Number(day);
  if (number % 100 >= 11 && number % 100 <= 13) return `${number}th`;
  return `${number}${["th", "st", "nd", "rd"][number % 10] ?? "th"}`;
}

const formats = new Map();

function part(date, timeZone, options) {
  const key = `${timeZone}${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat("en-US", { timeZone, ...options }));
  // Newer engines put a narrow no-break space before AM and PM.
  return formats
    .get(key)
    .format(date)
    .replace(/\u202f/g, " ");
}
