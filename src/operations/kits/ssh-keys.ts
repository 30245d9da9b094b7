import type { Precondition } from "../../operation/answer.ts";
import { unreadIs } from "../../operation/preconditions.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { code, count } from "../../views/text.ts";

/** The stored keys of a server or an account. Null where the platform does not show them. */
export type SshKeyRows = readonly { id: string; name: PlainText }[] | null;

const mostNamed = 5;

/** "`office`, `laptop`"; empty without any. */
function listed(rows: NonNullable<SshKeyRows>): string {
  const names = rows.slice(0, mostNamed).map(({ name }) => code(name, 60));
  const more = rows.length > mostNamed ? [`and ${rows.length - mostNamed} more`] : [];
  return [...names, ...more].join(", ");
}

/** Another key than those that were shown opens the server to somebody else, so it voids the request. */
function keysAre(rows: SshKeyRows, words = ""): { keys: Precondition } {
  if (rows === null) return { keys: unreadIs("SSH keys") };
  const value = rows.map(({ id }) => id).toSorted();
  if (rows.length === 0) return { keys: { value, label: "SSH keys", text: "none that you can see" } };
  const decides = words === "" ? undefined : ("unknown" as const);
  return { keys: { value, label: "SSH keys", text: `${listed(rows)}${words}`, decides } };
}

/** The keys that a reinstall authorises: a warning, after the sentence `lead`, and the fact that a decision relies on. */
export function authorisedBy(
  lead: string,
  rows: SshKeyRows,
): { warning: string; preconditions: { keys: Precondition } } {
  const named = rows && (rows.length > 0 ? `${count(rows.length, "key")}: ${listed(rows)}.` : "None that you can see.");
  return { warning: `${lead} ${named ?? "The platform does not show them."}`, preconditions: keysAre(rows) };
}

/** The keys that a rebuild for a new password may authorise: no spec says if it does. The card always shows this fact. */
export function perhapsAuthorised(rows: SshKeyRows): { keys: Precondition } {
  return keysAre(rows, " (the platform does not say if this authorises them)");
}
