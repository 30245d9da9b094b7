import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { listen, read } from "./api.js";

/**
 * Counts the changes of everything that `as` can see: reading again when a count moves keeps the page current.
 * `note` counts one that the page itself brought about.
 */
export function useChanges(as) {
  const [counts, count] = useReducer(countChange, { all: 0 });
  useEffect(() => listen(as, count), [as]);
  return { count: (what, channel) => counts.all + (counts[keyOf(what, channel)] ?? 0), note: count };
}

function countChange(counts, { what, channel }) {
  const key = keyOf(what, channel);
  const next = { ...counts, [key]: (counts[key] ?? 0) + 1 };
  // A message elsewhere changes what is unread in the sidebar.
  if (what === "channel") next.state = (next.state ?? 0) + 1;
  return next;
}

function keyOf(what, channel) {
  return channel ? `${what} ${channel}` : what;
}

/**
 * Reads `path` now and again each time `version` moves. Keeps the last answer while the next one is on its way,
 * and drops it when the path changes; a burst of changes costs two reads, not one each.
 */
export function useLive(path, version) {
  const [answer, setAnswer] = useState({ path: undefined, data: undefined, failed: false });
  const work = useRef({ path: undefined, busy: false, again: false });

  useEffect(() => {
    const mine = work.current;
    if (mine.path === path && mine.busy) {
      mine.again = true;
      return;
    }
    const now = { path, busy: true, again: false };
    work.current = now;
    readUntilCurrent(now, work, setAnswer);
  }, [path, version]);

  return answer.path === path ? answer : { path, data: undefined, failed: false };
}

async function readUntilCurrent(mine, work, setAnswer) {
  do {
    mine.again = false;
    const result = await read(mine.path).then(
      (data) => ({ data, failed: false }),
      () => ({ failed: true }),
    );
    if (work.current !== mine) return;
    setAnswer((before) => {
      const kept = before.path === mine.path ? before.data : undefined;
      return { path: mine.path, data: result.data ?? kept, failed: result.failed };
    });
  } while (mine.again);
  mine.busy = false;
}
