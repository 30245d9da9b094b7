/** What goes back over the wire, already as text so that a fault can cut it. */
export interface ApiResponse {
  status: number;
  contentType: string;
  text: string;
  headers: Record<string, string>;
}

export function json(status: number, body: unknown): ApiResponse {
  return { status, contentType: "application/json; charset=utf-8", text: JSON.stringify(body), headers: {} };
}

export function plain(status: number, contentType: string, text: string): ApiResponse {
  return { status, contentType, text, headers: {} };
}
