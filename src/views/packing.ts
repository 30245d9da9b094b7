/** Joins pieces in order, as many as fit into `most` characters. A piece that is longer alone stays whole. */
export function packed(pieces: readonly string[], joiner: string, most: number): string[] {
  const texts: string[] = [];
  for (const piece of pieces) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + joiner.length + piece.length <= most)
      texts[texts.length - 1] = `${last}${joiner}${piece}`;
    else texts.push(piece);
  }
  return texts;
}

export function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}
