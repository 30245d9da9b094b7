import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder. The end of the test removes it with all that is in it by then. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rackbell-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
