/** A request as the platform saw it, without secrets. */
export interface LoggedCall {
  method: string;
  /** Below /api/v1, without the query. */
  path: string;
  query: Record<string, string>;
  /** The label of the key; null when there was no good one. */
  key: string | null;
  project: string | null;
  /** null while it hangs, or when the connection was cut. */
  status: number | null;
  body: unknown;
  at: number;
}

const secretFields = new Set(["password", "user_data"]);
const mostCalls = 20_000;

export interface CallLog {
  add(call: LoggedCall): void;
  all(): LoggedCall[];
  clear(): void;
}

export function createCallLog(): CallLog {
  let calls: LoggedCall[] = [];
  return {
    add(call) {
      calls.push(call);
      if (calls.length > mostCalls * 2) calls = calls.slice(-mostCalls);
    },
    all: () => calls.map((call) => ({ ...call })),
    clear() {
      calls = [];
    },
  };
}

export function bodyWithoutSecrets(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text, (field, value) => (isSecret(field, value) ? "[secret]" : value));
  } catch {
    return "[not JSON]";
  }
}

function isSecret(field: string, value: unknown): boolean {
  return secretFields.has(field) || (typeof value === "string" && /(fbk|rsk)_[0-9a-f]{8}/.test(value));
}
