import { html } from "../html.js";
import { useSurface } from "../surface.js";

/** A file or more, read here and sent with the form: `{ name, size, content }`, the content in base64. */
export function FileInput({ id, block, element, name, describedBy, invalid }) {
  const surface = useSurface();
  const files = surface.valueOf(block, element)?.files ?? [];
  const accept = element.filetypes?.map((type) => `.${type}`).join(",");

  async function picked(event) {
    const chosen = [...event.currentTarget.files].slice(0, element.max_files ?? 10);
    surface.change(block, element, { files: await Promise.all(chosen.map(readFile)) });
  }

  return html`<div>
    <input id=${id} class="file-input" type="file" accept=${accept} multiple=${(element.max_files ?? 10) > 1} aria-label=${name}
      aria-describedby=${describedBy} aria-invalid=${invalid} onChange=${picked} />
    ${files.map((file) => html`<div class="hint">${file.name}, ${file.size} bytes</div>`)}
  </div>`;
}

async function readFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { name: file.name, size: file.size, content: base64(bytes) };
}

function base64(bytes) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
