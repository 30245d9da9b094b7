import { useEffect, useState } from "preact/hooks";

const quiet = 250;
const nothing = { groups: [], loading: false, note: undefined };

/** The options of `source` for `query` while the list is open. The page asks the app only once the typing pauses. */
export function useOptions(source, open, query) {
  const [asked, setAsked] = useState(nothing);

  useEffect(() => {
    if (!source.ask) return;
    if (!open || query.length < source.minQuery) {
      setAsked(nothing);
      return;
    }
    let current = true;
    const show = (found) => current && setAsked(found);
    const ask = () =>
      source.ask(query).then(
        (groups) => show(foundOf(groups)),
        (error) => show({ ...nothing, note: error.message }),
      );
    setAsked((before) => ({ ...before, loading: true, note: isEmpty(before.groups) ? "Loading…" : undefined }));
    const timer = setTimeout(ask, query ? quiet : 0);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [open, query]);

  if (!source.ask) return open ? foundOf(source.groups(query)) : nothing;
  return open && query.length < source.minQuery ? { ...nothing, note: hint(source.minQuery) } : asked;
}

function foundOf(groups) {
  return { groups, loading: false, note: isEmpty(groups) ? "No results" : undefined };
}

function isEmpty(groups) {
  return groups.every((group) => !group.options.length);
}

function hint(count) {
  return `Type at least ${count} character${count === 1 ? "" : "s"} to see options`;
}
