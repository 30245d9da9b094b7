import type { Json, Progress } from "../../../operation/answer.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { kindSection, readDocument, type ServiceDocument } from "../../../platform/reseller/document.ts";
import { code } from "../../../views/text.ts";
import { showStep } from "./service.ts";

type Installation = "in_progress" | "completed" | "failed";
const words: readonly string[] = ["in_progress", "completed", "failed"] satisfies Installation[];

/**
 * The installation's state. The spec does not show its place in the document, so any matching field counts. Null where none has a known
 * word. Reseller spec section 2.4.
 */
function installationOf(document: ServiceDocument): Installation | null {
  const found = textsUnder(/^os_?installation/i, kindSection(document).rest, false);
  return found.find((text): text is Installation => words.includes(text)) ?? null;
}

function textsUnder(name: RegExp, value: unknown, within: boolean): string[] {
  if (typeof value === "string") return within ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsUnder(name, inner, within || name.test(key)));
}

/** The fields that change when an installation begins, for comparison after a lost answer. */
export async function installationTrace(client: ResellerClient, id: string): Promise<Json> {
  const document = await readDocument(client, id);
  return {
    status: document.service.status,
    installation: installationOf(document),
    system: document.service.osImage?.name ?? null,
  };
}

/** Milliseconds. Right after it accepts an installation, the platform may still show the previous one. */
const settledAfter = 30_000;

/** The progress of an installation, `elapsed` milliseconds after the platform accepted it. */
export async function installationProgress(client: ResellerClient, id: string, elapsed: number): Promise<Progress> {
  const document = await readDocument(client, id);
  const { hostname, status } = document.service;
  const name = code(hostname || id);
  const next = [showStep(id)];
  const installation = installationOf(document);
  if (status === "provisioning_failed" || installation === "failed")
    return {
      state: "failed",
      text: `The installation of ${name} failed. Its disks are erased; try once more, or another system.`,
      next: [...next, { label: "Reinstall…", command: "reseller service reinstall", target: id }],
    };
  if (status === "installing" || installation === "in_progress" || elapsed < settledAfter)
    return { state: "working", text: `Installing ${name} anew.` };
  if (installation === "completed") return { state: "done", text: `${name} is installed anew.`, next };
  return {
    state: "done",
    endUnknown: true,
    text: `The installation of ${name} was taken on. The platform does not tell here when it has ended.`,
    next,
  };
}
