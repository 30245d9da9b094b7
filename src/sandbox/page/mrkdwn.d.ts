// For the tests, which are TypeScript; the page itself runs as plain JavaScript.
export type Inline =
  | { type: "text"; text: string }
  | { type: "bold" | "italic" | "strike" | "code"; children: Inline[] }
  | { type: "link"; url: string; label: string }
  | { type: "user" | "channel" | "usergroup"; id: string; label: string | undefined }
  | { type: "broadcast"; range: string }
  | { type: "date"; ts: number; format: string; url: string | undefined; fallback: string }
  | { type: "emoji"; name: string; unicode: string }
  | { type: "break" };

export type Block =
  | { type: "paragraph" | "pre"; children: Inline[] }
  | { type: "quote"; children: Block[] }
  | { type: "item"; depth: number; marker: string; children: Inline[] };

export function parseMrkdwn(source: string, options?: { verbatim?: boolean }): Block[];
