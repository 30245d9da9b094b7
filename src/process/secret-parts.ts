/** A secret in an answer, which only the requester sees, once. `name` is its path in the answer, or the name beside it. */
export interface SecretField {
  name: string;
  value: string;
}

/** An answer split in two: its secrets, and the rest, which may be shown. */
export interface Parted {
  secrets: SecretField[];
  rest: unknown;
}

/**
 * A character of the platform's keys, in a regular expression. Customer keys are hexadecimal; the reseller API's spec gives its characters
 * no form, and base64 has + and / too.
 */
export const keyCharacter = String.raw`[\w+/-]`;

const mostDepth = 32;

const secretName =
  /(password|passwd|passphrase|passcode|secret|token|ticket|credential|(private|api|access|secret|auth|encryption|signing|licen[cs]e|session|master)key|authorization|cookie)s?(plain|plaintext|text|raw|clear|value)?$/i;
/** Short words for a password at the end of a name: `DB_PASS`, `adminPwd`; not `compass`. */
const shortSecret = /(^|[^a-z])(pass|pwd|pw|pin)$|[a-z\d](Pass|Pwd|Pw|Pin)$/;
const secretWord = /password|passwd|passphrase|passcode|secret|token|credential|privatekey|apikey|accesskey/i;

/** `console_url`, `vncLink`, `reset_link`, `wsPath`, `console.url`, `urls.login`: whoever has such a link is let in, whatever it looks like. */
const opening =
  "console|vnc|kvm|ipmi|spice|terminal|shell|websocket|ws|viewer|session|login|signin|sso|auth|access|reset|recovery|invite|invitation|activation|verification|confirmation|magic|onetime|unlock|rescue";
const address = "urls?|uris?|links?|hrefs?|paths?|address(?:es)?";
const openingName = new RegExp(`(${opening})(${address})$|(${address})(${opening})$`, "i");

/** True for the path of a field whose link opens something. */
function namesOpening(at: readonly string[]): boolean {
  return openingName.test(
    letters(
      at
        .filter((name) => /\D/.test(name))
        .slice(-2)
        .join(""),
    ),
  );
}

/** True for the name of a field with one or more secrets: `password`, `rfb_password`, `tokens`; not `tokenExpiresAt`. */
export function namesSecret(name: string): boolean {
  return secretName.test(letters(name)) || shortSecret.test(name) || shortSecret.test(name.toLowerCase());
}

/** The same anywhere in a name: `password.reset`, `rotate-token`. */
export function mentionsSecret(name: string): boolean {
  return secretWord.test(letters(name)) || namesSecret(name);
}

/**
 * Splits secrets from an answer whose spec does not say where they are. A value is secret by its own key, by a name beside it (`{ name:
 * "RCON_PASSWORD", value: … }`), under such a key, or by its looks, and where the name beside it cannot be read. With `links` every URL
 * counts as secret. Values deeper than 32 levels, and inner objects with nothing but secrets, are dropped.
 */
export function partSecrets(value: unknown, { links = false } = {}): Parted {
  const secrets: SecretField[] = [];

  /** `isRow`: the parent is a list of lists, whose first column may name the other columns. */
  function rest(part: unknown, at: string[], { named, isRow = false }: { named: boolean; isRow?: boolean }): unknown {
    const isText = typeof part === "string";
    if ((isText || typeof part === "number") && part !== "" && (named || (isText && looksSecret(part, at)))) {
      secrets.push({ name: at.join(".") || "answer", value: String(part) });
      return undefined;
    }
    if (typeof part !== "object" || part === null) return part;
    if (at.length >= mostDepth) return undefined;
    return Array.isArray(part) ? restOfList(part, at, { named, isRow }) : restOfObject(part, at, { named });
  }

  function looksSecret(text: string, at: string[]): boolean {
    return (links && isLink(text)) || isSecretText(text, at.at(-1) ?? "") || (isPlace(text) && namesOpening(at));
  }

  function restOfList(list: unknown[], at: string[], { named, isRow }: { named: boolean; isRow: boolean }): unknown[] {
    const [first] = list;
    const called = typeof first === "string" && isVariable(first) && (list.length === 2 || isRow) ? first : null;
    const isTable = list.every((inner) => Array.isArray(inner));
    return list
      .map((inner, index) => {
        const isValue = called !== null && index > 0;
        return rest(inner, [...at, isValue ? called : String(index)], { named: named || isValue, isRow: isTable });
      })
      .filter((inner) => inner !== undefined);
  }

  function restOfObject(object: object, at: string[], { named }: { named: boolean }): unknown {
    const entries = Object.entries(object);
    const called = calledIn(entries);
    const isUnnamed = lacksName(entries);
    const kept = entries.flatMap(([name, inner]) => {
      const isValue = called !== null && valueKey.test(letters(name)) && !namingKey.test(letters(name));
      const isNameless = isUnnamed && bareValueKey.test(name);
      const path = isValue ? [...at, called] : [...at, name];
      const left = rest(inner, path, { named: named || isValue || isNameless || namesSecret(name) });
      // An object that has lost all its fields would read as "none", although there are secrets in it.
      return left === undefined || (isEmptyObject(left) && !isEmptyObject(inner)) ? [] : [[name, left] as const];
    });
    return Object.fromEntries(kept);
  }

  const shown = rest(value, [], { named: false });
  return { secrets, rest: shown ?? null };
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** Secrets with labels for the requester. */
export function labelledSecrets(secrets: SecretField[]): { label: string; value: string }[] {
  return secrets.map(({ name, value }) => ({ label: name, value }));
}

/** The secrets in these answers, with labels for the requester. */
export function secretsIn(...answers: unknown[]): { label: string; value: string }[] {
  return answers.flatMap((answer) => labelledSecrets(partSecrets(answer).secrets));
}

/**
 * `namingKey`: keys whose value is a name. `valueKey`: keys whose value is set under that name. For variables, settings, headers and form
 * fields.
 */
const namingKey =
  /^(name|key|k|variable|var|env|envvariable|envname|label|title|field|id|option|setting|param|parameter|property|attribute|header|slug|identifier)$/i;
const valueKey = /(value|values|val|default|current|content|data|text|setting)$|^(v|is)$/i;
const bareValueKey = /^(value|val|v)$/i;
/** `kindKey`: keys that tell a value's type. `coverKey`: flags that mark a value as secret. */
const kindKey = /(type|kind|format|widget)$/i;
const coverKey = /^(is)?(secret|sensitive|masked)$/i;

/** The name that an object gives its value, if that name or the object itself marks the value as secret; else null. */
function calledIn(entries: [string, unknown][]): string | null {
  const names = entries.flatMap(([name, value]) =>
    typeof value === "string" && namingKey.test(letters(name)) ? [value] : [],
  );
  const secret = names.find(mentionsSecret);
  if (secret !== undefined) return secret;
  const isCovered = entries.some(([name, value]) =>
    typeof value === "string"
      ? kindKey.test(letters(name)) && /^(password|secret|token)$/i.test(value)
      : value === true && coverKey.test(letters(name)),
  );
  return isCovered ? (names[0] ?? "value") : null;
}

/**
 * True if an object has a value whose name is null or no text, or a text alone: its name could be that of a secret. A figure alone is one of a
 * chart whose times are missing.
 */
function lacksName(entries: [string, unknown][]): boolean {
  if (!entries.some(([name]) => bareValueKey.test(name))) return false;
  const names = entries.filter(([name]) => namingKey.test(letters(name)));
  const isText = (value: unknown) => typeof value === "string" && !/^-?\d*\.?\d+$/.test(value);
  if (names.length === 0) return entries.every(([name, value]) => bareValueKey.test(name) && isText(value));
  return names.every(([, name]) => typeof name !== "string" && typeof name !== "number");
}

/** True for `RCON_PASSWORD` or `rcon.password` before a value. A list of plain words is no pair. */
function isVariable(text: string): boolean {
  return /^[A-Z][A-Z0-9_]{1,80}$|^\w{1,40}[_.-][\w.-]{1,40}$/.test(text) && namesSecret(text);
}

function letters(name: string): string {
  return name.replaceAll(/[^a-z]/gi, "");
}

/** True if a text is a secret or contains one, by its looks. `key` is its key in the answer. */
function isSecretText(text: string, key: string): boolean {
  return (
    opens(text) ||
    hasRandomWord(text) ||
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY|PuTTY-User-Key-File/.test(text) ||
    /:\/\/[^\s/?#:@]{0,200}:[^\s/?#@]{1,500}@/.test(text) ||
    assigns(text, key) ||
    isToken(text, key)
  );
}

/** `RCON_PASSWORD=…`, `--password …`, `+rcon_password …` or `"password": …`, as in settings or a command line. */
const assignments = [
  /(?<![\w.-])([\w.-]{1,100})=\s?[^\s=]/g,
  /(?<!\S)(?:--?|\+)([\w.-]{1,100})[ \t]{1,5}["']?[^\s"'+-]/g,
  /["']([\w.-]{1,60})["']\s{0,5}:\s{0,5}["'\d]/g,
  /(?<![\w-])(authorization|bearer)(?::[ \t]{0,5}|[ \t]{1,5})(?=\S{0,200}\d)\S{8}/gi,
];

/** True if a text sets a variable with a secret's name, or if a line of it begins with `password: …`. */
function assigns(text: string, key: string): boolean {
  const set = assignments.flatMap((one) => [...text.matchAll(one)]);
  if (set.some(([, name = ""]) => namesSecret(name) || /^bearer$/i.test(name))) return true;
  if (/(description|help|hint|rules?|notes?|label|title|message)$/i.test(letters(key))) return false;
  return [...text.matchAll(/^[ \t]{0,20}"?([\w.-]{1,60})"?:[ \t]{0,20}\S/gm)].some(([, name = ""]) =>
    namesSecret(name),
  );
}

/** Keys of ids and digests: these are random, but grant no access. */
const harmless =
  /(id|ids|uuid|guid|sha|md|hash|digest|checksum|fingerprint|etag|commit|revision|publickey|idempotencykey)$/i;

/** Characters. On longer texts, such as file contents, an unbounded repetition makes the regular expression engine fail. */
const longestWord = 8_192;

/** True for a long random word: letters of both cases and digits, hexadecimal digits, or a signed web token. */
function isToken(text: string, key: string): boolean {
  if (text.length > longestWord) return false;
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return true;
  if (!/^[A-Za-z0-9+/_=-]{32,}$/.test(text) || harmless.test(letters(key))) return false;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return false;
  const isHex = /^[0-9a-f]+$/i.test(text) && /\d/.test(text) && /[a-f]/i.test(text);
  return isHex || (/[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text));
}

function isLink(text: string): boolean {
  return /^[a-z][a-z\d+.-]{0,40}:\/\/\S/i.test(text) && !/\s/.test(text);
}

/** True for a link, or for the path of one. */
function isPlace(text: string): boolean {
  return isLink(text) || /^\/\S/.test(text);
}

/** True if a link in the text has a random word in its path, query or fragment: a ticket has no name there. */
function hasRandomWord(text: string): boolean {
  const links = text.matchAll(/:\/\/[^\s/?#"'<>]{1,300}([/?#][^\s"'<>]{1,2000})/g);
  return [...links].some(([, rest = ""]) => rest.split(/[/?#&=;,:.]/).some(isRandom));
}

/** True for a word with a digit whose characters change their kind so often that nobody chose it. Ids in UUID's form grant no access. */
function isRandom(word: string): boolean {
  if (!/^[\w~-]{16,}$/.test(word) || !/\d/.test(word)) return false;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word)) return false;
  const changes = word.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0;
  return changes >= Math.max(4, word.length / 5);
}

/** True for a URL that contains a password or a ticket. */
function opens(text: string): boolean {
  return isLink(text) && (/^[^/]{0,50}\/\/[^/?#:]{0,200}:[^/?#]{0,500}@/.test(text) || hasTicket(text));
}

function hasTicket(text: string): boolean {
  return [...text.matchAll(/[?&#;]([^=&#?;]{1,200})=/g)].some(
    ([, name = ""]) => /sig(nature)?$|^key$/i.test(name) || namesSecret(name),
  );
}
