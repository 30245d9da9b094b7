import type { StateOfTomorrow } from "./service.ts";

export interface CustomImage {
  id: string;
  holder: string;
  project_id: string;
  name: string;
  description: string | null;
  source_kind: "external" | "capture";
  status: "capturing" | "available" | "error" | StateOfTomorrow;
  size_bytes: number | null;
  virtual_size_bytes: number | null;
  source_url: string | null;
  source_sha256: string | null;
  os_family: string;
  error: string | null;
  available_at: string | null;
  created_at: string;
  /** The node that holds it can take no other server. */
  node_full: boolean;
}

export function imageRow(image: CustomImage) {
  const { holder, project_id, node_full, ...shown } = image;
  return shown;
}
