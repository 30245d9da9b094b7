/**
 * Makes something once for each object, and keeps it as long as that object: what a reading of the platform leads to is read again with the
 * next reading, and not before. The further arguments are only for the making.
 */
export function oncePer<K extends object, Further extends unknown[], T extends object>(
  make: (of: K, ...further: Further) => T,
): (of: K, ...further: Further) => T {
  const made = new WeakMap<K, T>();
  return (of, ...further) => {
    const known = made.get(of);
    if (known) return known;
    const one = make(of, ...further);
    made.set(of, one);
    return one;
  };
}
