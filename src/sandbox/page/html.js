import htm from "htm";
import { h } from "preact";

/** Markup as tagged templates: the page runs as it is written, with no build step. */
export const html = htm.bind(h);
