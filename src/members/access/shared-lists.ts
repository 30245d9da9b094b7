import { hash } from "node:crypto";
import type { Entry } from "../../operation/target.ts";

/** Bytes in memory for each character of a row's JSON, measured: objects and short strings have heads. */
const bytesOfCharacter = 2.3;
/** Bytes that a list takes for each of its rows: its place in the list, its names in the map that finds them, and its id in the set of ids. */
const bytesInList = 250;

interface Row {
  key: string;
  entry: Entry;
  bytes: number;
  holders: number;
}

interface SharedList {
  entries: Entry[];
  holders: number;
}

/** The part of the memory that one holder needs, until its `release`. */
interface Hold {
  /** The same rows, each as the object that every holder of an equal row has. */
  rows(entries: readonly Entry[]): Entry[];
  /** The same rows as the array that every holder of an equal list has. */
  list(entries: readonly Entry[]): Entry[];
  release(): void;
}

/**
 * Lists of entries in memory, equal ones once: all members of an account read the same machines, each with an own key. Only values are
 * shared, and only after a key has returned them, so nobody sees a row that their own key did not return.
 */
export interface SharedLists {
  hold(): Hold;
  /** The memory that all holders take together, estimated in bytes. */
  bytes(): number;
}

export function createSharedLists(): SharedLists {
  const rows = new Map<string, Row>();
  const rowOf = new WeakMap<Entry, Row>();
  const lists = new Set<SharedList>();
  let bytes = 0;

  function holdRow(entry: Entry): Row {
    const known = rowOf.get(entry) ?? sameRow(entry);
    known.holders += 1;
    return known;
  }

  function sameRow(entry: Entry): Row {
    const text = JSON.stringify(entry);
    const key = hash("sha256", text, "base64url");
    const known = rows.get(key);
    if (known) return known;
    const row: Row = { key, entry: freeze(entry), bytes: text.length * bytesOfCharacter, holders: 0 };
    rows.set(key, row);
    rowOf.set(entry, row);
    bytes += row.bytes;
    return row;
  }

  function releaseRow(row: Row): void {
    row.holders -= 1;
    if (row.holders > 0) return;
    rows.delete(row.key);
    rowOf.delete(row.entry);
    bytes -= row.bytes;
  }

  function holdList(entries: readonly Entry[]): SharedList {
    const held = entries.map(holdRow);
    const shared = held.map(({ entry }) => entry);
    const known = [...lists].find((list) => isSame(list.entries, shared));
    const list = known ?? { entries: shared, holders: 0 };
    list.holders += 1;
    if (known) held.forEach(releaseRow);
    else {
      lists.add(list);
      bytes += shared.length * bytesInList;
    }
    return list;
  }

  function releaseList(list: SharedList): void {
    list.holders -= 1;
    if (list.holders > 0) return;
    lists.delete(list);
    bytes -= list.entries.length * bytesInList;
    for (const entry of list.entries) {
      const row = rowOf.get(entry);
      if (row) releaseRow(row);
    }
  }

  return {
    hold() {
      const [heldRows, heldLists]: [Row[], SharedList[]] = [[], []];
      return {
        rows(entries) {
          const held = entries.map(holdRow);
          heldRows.push(...held);
          return held.map(({ entry }) => entry);
        },
        list(entries) {
          const list = holdList(entries);
          heldLists.push(list);
          return list.entries;
        },
        release() {
          heldLists.splice(0).forEach(releaseList);
          heldRows.splice(0).forEach(releaseRow);
        },
      };
    },
    bytes: () => bytes,
  };
}

function isSame(one: readonly Entry[], other: readonly Entry[]): boolean {
  return one.length === other.length && one.every((entry, at) => entry === other[at]);
}

/** Freezes a row: several members have it, and a change for one would be a change for all. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const part of Object.values(Object.freeze(value))) freeze(part);
  return value;
}
