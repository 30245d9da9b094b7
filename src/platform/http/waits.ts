/** The platform limits calls by the hour (customer spec section 8): a wait of more than a day is no wait that it means. */
const longestMs = 24 * 60 * 60 * 1_000;

/** The moment until which the platform asks to wait; undefined where an act would wait for years. */
export function believedEnd(at: number, now: number): number | undefined {
  return at - now <= longestMs ? at : undefined;
}

/** The same of a number of seconds. */
export function believedSeconds(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds * 1_000 <= longestMs ? seconds : undefined;
}
