/** What a row is called whose fields the spec does not show: its name where it has one, its id otherwise. */
export function titleOf({ id, name }: { id: string; name?: unknown }): string {
  return typeof name === "string" && name.trim() !== "" ? name : id;
}

/** Whole lines side by side, as many as fit into `most` characters; what is left out is said. */
export function sideBySide(lines: string[], most: number): string {
  const kept: string[] = [];
  let size = 0;
  for (const line of lines) {
    size += line.length + 3;
    if (size > most) break;
    kept.push(line);
  }
  const left = lines.length - kept.length;
  return [...kept, ...(left > 0 ? [`${left} more`] : [])].join(" · ");
}
