import type { Story } from "./story.ts";

/** Writes at the platform with Ben's key and without the app: what another program of the account does. */
export function post({ platform }: Pick<Story, "platform">, path: string, body: object = {}): Promise<Response> {
  return fetch(`${platform.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${platform.keys.ben.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
