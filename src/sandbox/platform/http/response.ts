/** A response in the form in which it is sent, so that a fault can cut it. */
export interface ApiResponse {
  status: number;
  contentType: string;
  body: string | Buffer;
  headers: Record<string, string>;
}

export function json(status: number, body: unknown): ApiResponse {
  return { status, contentType: "application/json; charset=utf-8", body: JSON.stringify(body), headers: {} };
}

export function plain(status: number, contentType: string, text: string): ApiResponse {
  return { status, contentType, body: text, headers: {} };
}

/** A file to download as `name`. */
export function file(content: Buffer, name: string): ApiResponse {
  const plainName = name.replaceAll(/["\\]|[^\x20-\x7e]/g, "_");
  const disposition = `attachment; filename="${plainName}"; filename*=UTF-8''${encodeURIComponent(name)}`;
  return {
    ...plain(200, "application/octet-stream", ""),
    body: content,
    headers: { "content-disposition": disposition },
  };
}

/** The envelope of both APIs (spec 2.1); `beside` stands beside `data` in it. */
export function success(status: number, data: unknown, beside: object = {}): ApiResponse {
  return json(status, { success: true, data, ...beside });
}

export function ok(data: unknown, beside: object = {}): ApiResponse {
  return success(200, data, beside);
}
