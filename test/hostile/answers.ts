import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { SendByHand } from "../../src/sandbox/platform/http/faults.ts";
import type { ApiResponse } from "../../src/sandbox/platform/http/response.ts";
import { changeAt, changeLists, changeObjects, changeOuterLists, type Place, removed, valuesAt } from "./fields.ts";

/** One way in which an answer differs from the platform's own. */
export interface Shape {
  name: string;
  send: SendByHand;
  /** Bytes that may stay of it in memory: a list's rows stay in the name index, within its limit. */
  keeps?: number;
}

/** Bytes in a mebibyte. */
const mebibyte = 1_048_576;

function plainSend(response: ServerResponse, own: ApiResponse, changed: Partial<ApiResponse> = {}): void {
  const { status, contentType, body, headers } = { ...own, ...changed };
  response.writeHead(status, {
    "content-type": contentType,
    "content-length": Buffer.byteLength(body),
    ...own.headers,
    ...headers,
  });
  response.end(body);
}

/** The platform's own answer with another body. An answer that is no JSON is sent as it is. */
function withBody(change: (body: unknown) => unknown): SendByHand {
  return (response, own) => {
    const answer = own();
    const body = bodyOf(answer);
    plainSend(response, answer, body === undefined ? {} : { body: JSON.stringify(change(body)) });
  };
}

/** The value of a body; undefined for a file. */
export function bodyOf({ contentType, body }: ApiResponse): unknown {
  return contentType.includes("json") ? JSON.parse(String(body)) : undefined;
}

/** The platform's own answer in other bytes. */
function withBytes(change: (body: string) => string | Buffer): SendByHand {
  return (response, own) => {
    const answer = own();
    plainSend(response, answer, { body: change(String(answer.body)) });
  };
}

function withHeaders(headers: Record<string, string>): SendByHand {
  return (response, own) => plainSend(response, own(), { headers });
}

/** Another status with the platform's own body. */
function withStatus(status: number): SendByHand {
  return (response, own) => plainSend(response, own(), { status });
}

/** An answer of our own. `applied`: the platform has carried out the request. */
function inPlace(status: number, contentType: string, body: string | Buffer, headers = {}): SendByHand {
  return (response, own) => {
    own();
    plainSend(response, { status, contentType, body, headers });
  };
}

/** Bytes on the connection that the platform's own HTTP would never write. */
function raw(write: (answer: ApiResponse) => string, end = true): SendByHand {
  return (response, own) => {
    const text = write(own());
    const { socket } = response;
    if (!socket) return;
    socket.write(text);
    if (end) socket.end();
  };
}

function refusing(status: number, body: unknown, headers: Record<string, string> = {}): SendByHand {
  return (response) =>
    plainSend(response, { status, contentType: "application/json", body: JSON.stringify(body), headers });
}

const refusal = (more: object = {}) => ({ success: false, error: "It is refused", code: "CONFLICT", ...more });

/** An object within an object, and so on, as text: JSON.stringify itself could not write it. */
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** The bodies of an answer that is JSON in the wrong letters. */
const encodings: Record<string, (body: string) => string | Buffer> = {
  "a byte order mark": (body) => `\uFEFF${body}`,
  "UTF-16": (body) => Buffer.from(`\uFEFF${body}`, "utf16le"),
  "Latin-1": (body) => Buffer.from(body.replaceAll(/(?<=":"\w)\w/g, "é"), "latin1"),
  "broken UTF-8": (body) => Buffer.concat([...body.split(/(?<=":"\w)/)].flatMap((part) => [Buffer.from(part), broken])),
};
const broken = Buffer.from([0xc3, 0x28]);

/** The most bytes that somebody has taken of an answer without end. */
export const endless = { most: 0 };

/** How an answer breaks as a whole, whatever it is about. `elsewhere`: the address of another host. */
export function wholeShapes(elsewhere: string): Shape[] {
  return [
    ...Object.entries(encodings).map(([name, change]): Shape => ({ name, send: withBytes(change) })),
    { name: "HTML with 200", send: inPlace(200, "text/html", "<html><h1>Sign in</h1></html>") },
    { name: "HTML with 502", send: inPlace(502, "text/html", "<html><h1>Bad Gateway</h1></html>") },
    { name: "an empty body", send: inPlace(200, "application/json", "") },
    { name: "no content", send: inPlace(204, "application/json", "") },
    { name: "null", send: inPlace(200, "application/json", "null") },
    { name: "a text", send: inPlace(200, "application/json", '"ok"') },
    { name: "a list", send: inPlace(200, "application/json", "[]") },
    { name: "a success without data", send: inPlace(200, "application/json", '{"success":true}') },
    { name: "data that is null", send: withBody((body) => ({ ...Object(body), data: null })) },
    { name: "data that is a text", send: withBody((body) => ({ ...Object(body), data: "ok" })) },
    { name: "data that is an empty object", send: withBody((body) => ({ ...Object(body), data: {} })) },
    { name: "data that is an empty list", send: withBody((body) => ({ ...Object(body), data: [] })) },
    { name: "no success", send: withBody((body) => ({ ...Object(body), success: false })) },
    { name: "success as a text", send: withBody((body) => ({ ...Object(body), success: "true" })) },
    { name: "half of it", send: withBytes((body) => body.slice(0, body.length / 2)) },
    {
      name: "a connection that breaks off",
      send: (response, own) => {
        const { body, contentType, status } = own();
        response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(body) + 9 });
        response.write(body, () => response.socket?.destroy());
      },
    },
    { name: "10 MB more", send: withBytes((body) => body.replace("{", `{"pad":"${"x".repeat(10 * mebibyte)}",`)) },
    { name: "20 MB", send: withBytes((body) => `${" ".repeat(20 * mebibyte)}${body}`) },
    {
      name: "no end",
      send: (response, own) => {
        own();
        let sent = 0;
        response.writeHead(200, { "content-type": "application/json" });
        const more = () => {
          if (response.destroyed) return;
          response.write(" ".repeat(262_144));
          sent += 262_144;
          endless.most = Math.max(endless.most, sent);
          setTimeout(more, 1);
        };
        more();
      },
    },
    { name: "deep nesting beside the data", send: withBytes((body) => body.replace("{", `{"pad":${nested(50_000)},`)) },
    {
      name: "deep nesting as data",
      send: inPlace(200, "application/json", `{"success":true,"data":${nested(50_000)}}`),
    },
    { name: "a deep refusal", send: refusing500(`{"success":false,"error":"No","code":"X","pad":${nested(50_000)}}`) },
    {
      name: "a byte a second",
      send: (response, own) => {
        const { status, contentType, body } = own();
        const bytes = Buffer.from(body);
        response.writeHead(status, { "content-type": contentType, "content-length": bytes.length });
        let at = 0;
        const next = () => {
          if (response.destroyed || at >= bytes.length) return;
          response.write(bytes.subarray(at, at + 1));
          at += 1;
          setTimeout(next, 1_000);
        };
        next();
      },
    },
    { name: "silence", send: (_response, own) => void own() },
    {
      name: "a reset",
      send: (response, own) => {
        own();
        response.socket?.resetAndDestroy();
      },
    },
    { name: "plain text for JSON", send: withHeaders({ "content-type": "text/plain" }) },
    { name: "a binary type for JSON", send: withHeaders({ "content-type": "application/octet-stream" }) },
    ...[301, 302, 303, 307, 308].flatMap((status): Shape[] => [
      { name: `${status} to itself`, send: redirect(status, () => "/api/v1/") },
      { name: `${status} to another host`, send: redirect(status, () => `${elsewhere}/api/v1/`) },
    ]),
    ...[201, 202, 203, 206, 226, 299].map(
      (status): Shape => ({ name: `its answer with ${status}`, send: withStatus(status) }),
    ),
    ...[300, 304, 500, 501, 507, 599, 600, 999].map(
      (status): Shape => ({ name: `its answer with ${status}`, send: withStatus(status) }),
    ),
    ...[400, 402, 405, 408, 418, 421, 425, 451, 499].map(
      (status): Shape => ({ name: `a refusal with ${status}`, send: refusing(status, refusal()) }),
    ),
    {
      name: "an early hint first",
      send: raw((answer) => `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${wire(answer)}`),
    },
    { name: "100 Continue first", send: raw((answer) => `HTTP/1.1 100 Continue\r\n\r\n${wire(answer)}`) },
    { name: "two lengths", send: raw((answer) => wire(answer, ["content-length: 3"])) },
    { name: "two types", send: raw((answer) => wire(answer, ["content-type: text/html"])) },
    {
      name: "two rate limits",
      send: raw((answer) => wire(answer, ["x-ratelimit-remaining: 0", "x-ratelimit-remaining: 900"])),
    },
    { name: "a length and chunks", send: raw((answer) => wire(answer, ["transfer-encoding: chunked"])) },
    { name: "a head without end", send: raw(() => `HTTP/1.1 200 OK\r\nx-pad: ${"x".repeat(200_000)}\r\n\r\n`) },
    { name: "no HTTP", send: raw(() => "SSH-2.0-OpenSSH_9.9\r\n") },
    { name: "a status without a number", send: raw(() => "HTTP/1.1 OK\r\n\r\n") },
    {
      name: "gzip",
      send: (response, own) => {
        const answer = own();
        plainSend(response, answer, { body: gzipSync(answer.body), headers: { "content-encoding": "gzip" } });
      },
    },
    { name: "a gzip bomb", send: inPlace(200, "application/json", bomb(), { "content-encoding": "gzip" }) },
    ...Object.entries(rateHeaders).map(([name, headers]): Shape => ({ name, send: withHeaders(headers) })),
    ...Object.entries(refusals).map(
      ([name, { status, body, headers }]): Shape => ({ name, send: refusing(status, body, headers) }),
    ),
    { name: "a refusal with 200", send: refusing(200, refusal()) },
  ];
}

let packed: Buffer | undefined;

/** 100 MB of zeros in 100 kB. */
function bomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(100 * mebibyte));
  return packed;
}

function refusing500(body: string): SendByHand {
  return (response) => plainSend(response, { status: 400, contentType: "application/json", body, headers: {} });
}

function redirect(status: number, to: () => string): SendByHand {
  return (response, own) => {
    own();
    plainSend(response, { status, contentType: "text/plain", body: "", headers: { location: to() } });
  };
}

/** An answer as bytes on the wire, with further lines in its head. */
function wire({ status, contentType, body }: ApiResponse, lines: readonly string[] = []): string {
  const head = [`HTTP/1.1 ${status} OK`, `content-type: ${contentType}`, `content-length: ${Buffer.byteLength(body)}`];
  return `${[...head, ...lines].join("\r\n")}\r\n\r\n${String(body)}`;
}

const rateHeaders: Record<string, Record<string, string>> = {
  "no calls left": { "x-ratelimit-limit": "1000", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999" },
  "a rate limit of words": { "x-ratelimit-limit": "many", "x-ratelimit-remaining": "NaN", "x-ratelimit-reset": "soon" },
  "a negative rate limit": { "x-ratelimit-limit": "-1", "x-ratelimit-remaining": "-5", "x-ratelimit-reset": "-1" },
  "a rate limit of nothing": { "x-ratelimit-limit": "0", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "0" },
  "a date of long ago": { date: "Thu, 01 Jan 1970 00:00:00 GMT" },
  "a date far ahead": { date: "Fri, 31 Dec 9999 23:59:59 GMT" },
  "a date of words": { date: "yesterday" },
};

/** Markup that Slack would act on, and the words of machines. */
const nastyWords = "<!channel> *bold* `code` <https://evil.example|click> \u202e \u0000 undefined";

const refusals: Record<string, { status: number; body: unknown; headers?: Record<string, string> }> = {
  "a refusal with a field for each word": {
    status: 400,
    body: refusal({ code: "BAD_REQUEST", details: [{ field: "constructor", message: nastyWords }] }),
  },
  "a refusal in the other API's form": {
    status: 400,
    body: { success: false, error: { message: "It is refused", details: [{ field: "x", message: "y" }] } },
  },
  "a refusal without a code": { status: 409, body: { success: false, error: "It is refused" } },
  "a refusal without words": { status: 409, body: { success: false, error: "", code: "" } },
  "a refusal of null": { status: 409, body: { success: false, error: null, code: null } },
  "a refusal of numbers": { status: 409, body: { success: false, error: 7, code: 7 } },
  "a refusal with markup": { status: 409, body: refusal({ error: nastyWords }) },
  "a long refusal": { status: 409, body: refusal({ error: "It is refused. ".repeat(70_000) }) },
  "a refusal that names success": { status: 409, body: { success: true, data: {} } },
  "a scope that nobody has": { status: 403, body: refusal({ code: "SCOPE_REQUIRED", scope: nastyWords }) },
  "a rejected key": { status: 401, body: refusal({ code: "UNAUTHORIZED" }) },
  "a resource that is not there": { status: 404, body: refusal({ code: "NOT_FOUND" }) },
  "too many calls": { status: 429, body: refusal({ code: "RATE_LIMITED" }) },
  "a code of tomorrow": { status: 409, body: refusal({ code: "QUANTUM_STATE" }) },
  ...Object.fromEntries(
    ["0", "-1", "99999999999", "soon", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"].flatMap(
      (after) => [429, 503].map((status) => [`${status} and Retry-After ${after}`, retryLater(status, after)]),
    ),
  ),
};

function retryLater(status: number, after: string) {
  return {
    status,
    body: refusal({ code: status === 429 ? "RATE_LIMITED" : "UNAVAILABLE" }),
    headers: { "retry-after": after },
  };
}

/** A field that says nothing, in every row that has it: each may turn an unknown fact into a definite one. */
const silences: Record<string, (value: unknown) => unknown> = {
  missing: () => removed,
  null: () => null,
  "of another type": (value) => (typeof value === "object" && value !== null ? 7 : { strange: "value" }),
};

const otherValues: Record<string, (value: unknown) => unknown> = {
  "a word of tomorrow": () => "a_word_of_tomorrow",
  "an empty text": () => "",
  "a long text": () => "long ".repeat(20_000),
  markup: () => nastyWords,
  "a huge number": () => 1e308,
  "a negative number": () => -1,
  "a fraction": () => 0.1,
  "a number as text": (value) => (typeof value === "number" ? String(value) : "7"),
  "true as text": () => "true",
  zero: () => 0,
  "an empty list": () => [],
  "an empty object": () => ({}),
  "the year 9999": () => "9999-12-31T23:59:59Z",
  "a date without a zone": () => "2026-02-30 25:61",
};

/** The shapes of one field. */
export function fieldShapes(place: Place): Shape[] {
  return [...silentShapes(place), ...wrongShapes(place)];
}

/** The shapes of a field that say nothing of it. A place that has no value says nothing by itself. */
export function silentShapes(place: Place): Shape[] {
  return shapesAt(place, silences);
}

/** The shapes of a field that say something else of it. */
export function wrongShapes(place: Place): Shape[] {
  return shapesAt(place, otherValues);
}

function shapesAt(place: Place, changes: Record<string, (value: unknown) => unknown>): Shape[] {
  return Object.entries(changes).map(([what, change]) => ({
    name: `${place.join(".")} ${what}`,
    send: withBody((body) => changeAt(body, place, change)),
  }));
}

/** True where some row has a value at the place that can be lost. */
export function hasValue(answer: unknown, place: Place): boolean {
  return valuesAt(answer, place).some((value) => value !== null);
}

const page = (more: object) => withBody((body) => paged(body, more));

/** The answer with other figures wherever it tells of its pages. */
function paged(body: unknown, more: object): unknown {
  return changeObjects(body, (one) => ("limit" in one && "total" in one ? { ...one, ...more } : one));
}

/** How the lists and objects of an answer may be, whatever they hold. */
export const contentShapes: Shape[] = [
  {
    name: "fields of tomorrow",
    send: withBody((body) =>
      changeObjects(body, (one) => ({ ...one, a_field_of_tomorrow: null, another: { undefined: "null" } })),
    ),
  },
  { name: "empty lists", send: withBody((body) => changeLists(body, () => [])) },
  { name: "rows twice", send: withBody((body) => changeLists(body, (list) => [...list, ...list])) },
  { name: "null rows", send: withBody((body) => changeLists(body, (list) => [...list, null])) },
  { name: "text rows", send: withBody((body) => changeLists(body, (list) => [...list, "row"])) },
  { name: "500 rows for each", send: withBody((body) => changeLists(body, (list) => many(list, 500))) },
  {
    name: "8 MB of rows",
    // 29,000 documents of a list take 28 MiB in the name index.
    keeps: 32 * mebibyte,
    send: withBody((body) =>
      // Lists within these rows as well would make many times as much, and the app takes 16 MB of an answer.
      changeOuterLists(body, (list) =>
        many(list, Math.floor((8 * mebibyte) / (JSON.stringify(list[0] ?? 0).length + 40))),
      ),
    ),
  },
  {
    name: "a field of 8 MB",
    send: withBody((body) => changeData(body, (data) => ({ ...data, a_long_text: "word ".repeat(1_600_000) }))),
  },
  {
    name: "100,000 fields",
    send: withBody((body) =>
      changeData(body, (data) => ({
        ...data,
        ...Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`field_${at}`, at])),
      })),
    ),
  },
  {
    name: "lists as objects",
    send: withBody((body) =>
      changeObjects(body, (one) =>
        Object.fromEntries(
          Object.entries(one).map(([name, inner]) => [name, Array.isArray(inner) ? { ...inner } : inner]),
        ),
      ),
    ),
  },
  {
    name: "a billion pages",
    send: page({ total: 1_000_000_000, pages: 1_000_000_000, totalPages: 1_000_000_000, hasMore: true }),
  },
  { name: "pages of nothing", send: page({ limit: 0, total: 5, pages: 5, totalPages: 5 }) },
  { name: "no pages", send: page({ total: 0, pages: 0, totalPages: 0, hasMore: false }) },
  { name: "page zero", send: page({ page: 0, offset: -1 }) },
  { name: "one page more", send: page({ pages: 2, totalPages: 2, hasMore: true }) },
  { name: "pages as texts", send: page({ page: "1", limit: "20", total: "3", pages: "1" }) },
];

/** The answer with other data, where its data is an object. */
function changeData(body: unknown, change: (data: object) => object): unknown {
  const { data } = Object(body);
  return typeof data === "object" && data !== null && !Array.isArray(data)
    ? { ...Object(body), data: change(data) }
    : body;
}

/** So many rows for each, with ids of their own where they have one. */
function many(list: unknown[], times: number): unknown[] {
  if (list.length === 0 || list.length > 50) return list;
  const [row] = list;
  const id = ["id", "serviceId"].find((name) => typeof row === "object" && row !== null && name in row);
  const copies = Array.from({ length: times }, (_, at) =>
    id === undefined ? row : { ...Object(row), [id]: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}` },
  );
  return [...list, ...copies];
}
