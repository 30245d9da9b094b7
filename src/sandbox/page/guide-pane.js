import { Blocks } from "./formatted.js";
import { html } from "./html.js";
import { useLive } from "./live.js";
import { parseMarkdown } from "./markdown.js";
import { addressOf, useRoute } from "./route.js";

/** The app's guide: the same pages that `/rackbell help <page>` shows, and the repository. */
export function GuidePane({ pages }) {
  const route = useRoute();
  const current = pages.find(({ name }) => name === route.page) ?? pages[0];
  const { data } = useLive(`/page/guide?as=${encodeURIComponent(route.as ?? "ana")}&name=${current.name}`, 0);
  return html`<div class="guide" data-testid="guide">
    <h2 class="unseen">Guide</h2>
    <nav class="guide-pages" aria-label="Pages of the guide">
      ${pages.map(
        ({
          name,
          title,
        }) => html`<a class=${name === current.name ? "tab active" : "tab"} aria-current=${name === current.name ? "page" : undefined}
          href=${addressOf(route, { page: name })}>${title}</a>`,
      )}
    </nav>
    <article class="guide-text" tabindex="0">${data?.text && html`<${Blocks} blocks=${parseMarkdown(data.text)} />`}</article>
  </div>`;
}
