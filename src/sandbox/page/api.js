/** This window, until it is loaded anew: a modal opens in the one that asked for it. */
export const here = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join("");

const unreachable = "The practice workspace does not answer. Is it still running?";

/** Reads one of the page's resources. Throws when the workspace cannot be reached or refuses. */
export async function read(path) {
  const response = await fetch(path, { headers: { accept: "application/json" } });
  const answer = await response.json();
  if (!response.ok || answer.ok === false) throw new Error(answer.error ?? `${path} answered ${response.status}`);
  return answer;
}

/** Sends what a person did. Never throws: a failure is `{ ok: false, error }`, with a sentence to show. */
export async function send(path, body) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ window: here, ...body }),
    });
    const answer = await response.json();
    return { ok: response.ok, ...answer };
  } catch {
    return { ok: false, error: unreachable };
  }
}

/** Calls `changed` with each change that `as` could see, and with `{ what: "all" }` whenever the line was down. Returns how to stop. */
export function listen(as, changed) {
  const source = new EventSource(`/page/events?as=${as}`);
  let dropped = false;
  source.addEventListener("change", (event) => changed(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    dropped = true;
  });
  source.addEventListener("open", () => {
    if (dropped) changed({ what: "all" });
    dropped = false;
  });
  return () => source.close();
}
