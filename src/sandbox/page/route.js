import { useEffect, useState } from "preact/hooks";

/**
 * The page's state in the address: who acts (`as`), which channel (`c`, or "app"), which tab, which thread.
 * People and channels by name or by id; the page itself writes names, which outlive a restart.
 */
export function useRoute() {
  const [route, setRoute] = useState(readHash);
  useEffect(() => {
    const follow = () => setRoute(readHash());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

/** The address of another place: what is not named stays, what is undefined goes. */
export function addressOf(route, changes) {
  const entries = Object.entries({ ...route, ...changes }).filter(([, value]) => value !== undefined);
  return `#${new URLSearchParams(entries)}`;
}

/** Goes to another place. */
export function go(changes) {
  location.hash = addressOf(readHash(), changes);
}

function readHash() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}
