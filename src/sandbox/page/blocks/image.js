import { Text } from "../formatted.js";
import { html } from "../html.js";

export function ImageBlock({ block }) {
  return html`<figure class="block image-block">
    ${block.title && html`<figcaption><${Text} object=${block.title} /></figcaption>`}
    <${SafeImage} image=${block} />
  </figure>`;
}

/** An image from a web address; any other address shows its alternative text alone. */
export function SafeImage({ image, class: className = "" }) {
  if (!/^https?:\/\//i.test(image.image_url ?? "")) return html`<span class="no-image">${image.alt_text}</span>`;
  return html`<img class=${className} src=${image.image_url} alt=${image.alt_text} loading="lazy" referrerpolicy="no-referrer" />`;
}
