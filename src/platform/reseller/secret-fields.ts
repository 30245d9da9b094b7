import { namesSecret } from "../http/conceal.ts";

/** A part of an answer that opens something: for who asked alone, once. `name` is the path to it in the answer. */
export interface SecretField {
  name: string;
  value: string;
}

/** An answer of which the spec does not show where its secrets stand: they are taken out, and the rest can be shown. */
export interface Parted {
  secrets: SecretField[];
  rest: unknown;
}

const mostDepth = 32;

/**
 * Takes out of an answer what is named like a secret, all that stands under such a name, and addresses that are credentials themselves;
 * with `links`, every address. What lies deeper than anything is shown is left out whole.
 */
export function partSecrets(value: unknown, { links = false } = {}): Parted {
  const secrets: SecretField[] = [];

  function rest(part: unknown, at: string[], named: boolean): unknown {
    const secret = named || (typeof part === "string" && (links ? isLink : opens)(part));
    if (secret && part !== "" && (typeof part === "string" || typeof part === "number")) {
      secrets.push({ name: at.join(".") || "answer", value: String(part) });
      return undefined;
    }
    if (typeof part !== "object" || part === null) return part;
    if (at.length >= mostDepth) return undefined;
    if (Array.isArray(part))
      return part
        .map((inner: unknown, index) => rest(inner, [...at, String(index)], named))
        .filter((inner) => inner !== undefined);
    const kept = Object.entries(part).map(([name, inner]) => {
      return [name, rest(inner, [...at, name], named || namesSecret(name))] as const;
    });
    return Object.fromEntries(kept.filter(([, inner]) => inner !== undefined));
  }

  const shown = rest(value, [], false);
  return { secrets, rest: shown ?? null };
}

function isLink(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(text);
}

/** An address with a password or a ticket in it. */
function opens(text: string): boolean {
  return isLink(text) && (/^[^/]*\/\/[^/?#]*:[^/?#]*@/.test(text) || hasTicket(text));
}

function hasTicket(text: string): boolean {
  return [...text.matchAll(/[?&#;]([^=&#?]+)=/g)].some(
    ([, name = ""]) => /sig(nature)?$|^key$/i.test(name) || namesSecret(name),
  );
}
