import { parseJson } from "../../platform/http/json.ts";

/**
 * Reads the parameters of a provider's verb: a JSON object, or `name=value` pairs on one or several lines, whose values stay text
 * and may contain blanks. Null if the text is neither.
 */
export function readParams(text: string): Record<string, unknown> | null {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) return readObject(trimmed);
  const params: Record<string, unknown> = {};
  for (const pair of trimmed.split(/(?<!\s)\s+(?=[\w.-]+=)/)) {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, equals));
    if (!/^[\w.-]+$/.test(name) || Object.hasOwn(params, name)) return null;
    Object.defineProperty(params, name, { value: pair.slice(equals + 1).trim(), enumerable: true });
  }
  return params;
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = parseJson(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
