const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Reads a length of time such as "20m", "2h" or "1d12h", in milliseconds; null for any other text. */
export function lengthIn(text: string): number | null {
  const [whole, d, h, m] =
    /^(?:(\d{1,3})d)?(?:(\d{1,3})h)?(?:(\d{1,5})m(?:in)?)?$/i.exec(text.replaceAll(" ", "")) ?? [];
  return whole ? Number(d ?? 0) * day + Number(h ?? 0) * hour + Number(m ?? 0) * minute : null;
}

/** A length of whole minutes as `lengthIn` reads it: "1d12h". */
export function lengthText(length: number): string {
  const parts = [
    [Math.floor(length / day), "d"],
    [Math.floor((length % day) / hour), "h"],
    [Math.floor((length % hour) / minute), "m"],
  ] as const;
  return parts.map(([amount, unit]) => (amount === 0 ? "" : `${amount}${unit}`)).join("") || "0m";
}
