/** The value under a key that others wrote. A plain look-up of "constructor" would find the function that every object inherits. */
export function ownValue<T>(values: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
