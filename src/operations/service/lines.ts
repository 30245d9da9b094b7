/** The title of a row whose fields the spec does not show: its name, otherwise its id. */
export function titleOf({ id, name }: { id: string; name?: unknown }): string {
  return typeof name === "string" && name.trim() !== "" ? name : id;
}

/** Joins whole lines, up to `most` characters. The text says if lines are left out. */
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
