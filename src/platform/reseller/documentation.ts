import type { Download } from "../http/envelope.ts";
import { endpoint } from "./endpoint.ts";

/** GET /docs: the reference as a page; needs no key. The introduction of the reseller spec. */
export const readDocs = endpoint("GET /docs", (call): Promise<Download> => call.download({}));

/** GET /guide.md: the guide as Markdown; needs no key. The introduction of the reseller spec. */
export const readGuide = endpoint("GET /guide.md", (call): Promise<Download> => call.download({}));
