const memory = 10_000;

/** Adds an entry to the recorded traffic, which has at most the last 10,000 entries. */
export function appendBounded<T>(list: T[], entry: T): void {
  list.push(entry);
  if (list.length > memory) list.shift();
}

/** The same for what is looked up by an id. */
export function setBounded<T>(map: Map<string, T>, id: string, entry: T): void {
  map.set(id, entry);
  const [oldest] = map.keys();
  if (map.size > memory && oldest !== undefined) map.delete(oldest);
}
