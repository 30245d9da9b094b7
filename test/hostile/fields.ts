/** A place in an answer: the names that lead to it, with `*` for each row of a list. */
export type Place = readonly string[];

const everyRow = "*";
/** In place of a field that is taken out. */
export const removed = Symbol("removed");

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Every field of an answer, at any depth, each once for all rows of its list. The rows themselves are no fields. */
export function placesIn(answer: unknown): Place[] {
  const found = new Map<string, Place>();
  collect(answer, [], found);
  return [...found.values()];
}

function collect(value: unknown, at: Place, found: Map<string, Place>): void {
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const place = [...at, Array.isArray(value) ? everyRow : name];
    if (!Array.isArray(value)) found.set(place.join("."), place);
    collect(inner, place, found);
  }
}

/** A copy of the answer with the value at the place changed, in every row where there is one. */
export function changeAt(answer: unknown, place: Place, change: (value: unknown) => unknown): unknown {
  const [name, ...rest] = place;
  if (name === undefined) return change(answer);
  if (!isObject(answer)) return answer;
  if (Array.isArray(answer)) return name === everyRow ? answer.map((row) => changeAt(row, rest, change)) : answer;
  return Object.fromEntries(
    Object.entries(answer).flatMap(([key, inner]) => {
      const changed = key === name ? changeAt(inner, rest, change) : inner;
      return changed === removed ? [] : [[key, changed]];
    }),
  );
}

/** The values at a place, of every row. */
export function valuesAt(answer: unknown, [name, ...rest]: Place): unknown[] {
  if (name === undefined) return [answer];
  if (!isObject(answer)) return [];
  if (name === everyRow) return Array.isArray(answer) ? answer.flatMap((row) => valuesAt(row, rest)) : [];
  return Object.hasOwn(answer, name) ? valuesAt(Reflect.get(answer, name), rest) : [];
}

/** A copy in which every object, at any depth, is changed. */
export function changeObjects(answer: unknown, change: (object: object) => object): unknown {
  if (!isObject(answer)) return answer;
  if (Array.isArray(answer)) return answer.map((row) => changeObjects(row, change));
  return change(
    Object.fromEntries(Object.entries(answer).map(([name, inner]) => [name, changeObjects(inner, change)])),
  );
}

/** A copy in which each list that is in no other list is changed. */
export function changeOuterLists(answer: unknown, change: (list: unknown[]) => unknown[]): unknown {
  if (!isObject(answer)) return answer;
  if (Array.isArray(answer)) return change(answer);
  return Object.fromEntries(Object.entries(answer).map(([name, inner]) => [name, changeOuterLists(inner, change)]));
}

/** A copy in which every list, at any depth, is changed. */
export function changeLists(answer: unknown, change: (list: unknown[]) => unknown[]): unknown {
  if (!isObject(answer)) return answer;
  if (Array.isArray(answer)) return change(answer.map((row) => changeLists(row, change)));
  return Object.fromEntries(Object.entries(answer).map(([name, inner]) => [name, changeLists(inner, change)]));
}
