import { valueFault } from "../config.ts";
import type { Outside } from "../doctor/outside.ts";

/**
 * Finds the platform's API root by its public list of routes, from its own address, from the panel's, or from that of a page of either.
 * Resolves with the reason, as a sentence, if none answers.
 */
export async function findApiRoot(
  text: string,
  { checkPlatform }: Pick<Outside, "checkPlatform">,
): Promise<{ root: string; says: string } | { problem: string }> {
  const roots = likelyRoots(text);
  const faults = roots.map((root) => valueFault("PLATFORM_URL", root));
  const [fault = "PLATFORM_URL is not a web address: it begins with https://."] = faults;
  if (fault !== null) return { problem: fault };
  const findings = await Promise.all(roots.map(checkPlatform));
  const at = findings.findIndex(({ fine }) => fine);
  const [root, found] = [roots[at], findings[at]];
  return root === undefined || found === undefined
    ? { problem: findings[0]?.says ?? fault ?? "" }
    : { root, says: found.says };
}

/** The addresses that can be meant, the likeliest first. */
function likelyRoots(text: string): string[] {
  const url = URL.parse(/^\w+:\/\//.test(text.trim()) ? text.trim() : `https://${text.trim()}`);
  if (!url) return [];
  const [before = "", ...after] = url.pathname.split(/\/api\/v1(?=\/|$)/);
  const parts = before.split("/").filter((part) => part !== "");
  // Of a page of the panel, its path may lead below the panel: the shorter addresses are tried beside it.
  const paths = after.length > 0 ? [parts] : [parts, ...parts.map((_, at) => parts.slice(0, at))].slice(0, 6);
  const { protocol, username, password, host } = url;
  const login = username || password ? `${username}:${password}@` : "";
  return paths.map((path) => `${protocol}//${login}${[host, ...path].join("/")}/api/v1`);
}
