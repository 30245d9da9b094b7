/** The value of a text from outside; undefined where it is no JSON, which has no such value. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
