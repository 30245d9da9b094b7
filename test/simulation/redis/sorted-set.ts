export interface Scored {
  member: string;
  score: number;
}

/** Members in order of their scores, and of their bytes where these are equal. */
export interface SortedSet {
  readonly size: number;
  score(member: string): number | undefined;
  put(member: string, score: number): void;
  remove(member: string): boolean;
  /** All of them, in order. */
  all(): readonly Scored[];
  copy(): SortedSet;
}

export function createSortedSet(from: readonly Scored[] = []): SortedSet {
  const scores = new Map(from.map(({ member, score }) => [member, score]));
  const order = [...from];

  /** Its place, or the one that it would have. */
  function placeOf(member: string, score: number): number {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = order[middle];
      const isBefore = other && (other.score < score || (other.score === score && other.member < member));
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function remove(member: string): boolean {
    const score = scores.get(member);
    if (score === undefined) return false;
    order.splice(placeOf(member, score), 1);
    return scores.delete(member);
  }

  return {
    get size() {
      return order.length;
    },
    score: (member) => scores.get(member),
    put(member, score) {
      // Of an equal score the former stays: a negative zero is no other than a plain one.
      if (scores.get(member) === score) return;
      remove(member);
      scores.set(member, score);
      order.splice(placeOf(member, score), 0, { member, score });
    },
    remove,
    all: () => order,
    copy: () => createSortedSet(order),
  };
}
