import { html } from "./html.js";
import { Icon } from "./icons.js";
import { Message } from "./message.js";
import { addressOf, useRoute } from "./route.js";

/** A message and its replies, beside the channel. */
export function Thread({ message, channel, report }) {
  const route = useRoute();
  const replies = message.replies ?? [];
  return html`<aside class="thread" data-testid="thread" aria-label="Thread">
    <header class="pane-header">
      <h2>Thread <span class="quiet">#${channel.name}</span></h2>
      <a class="plain cross" aria-label="Close thread" href=${addressOf(route, { thread: undefined })}><${Icon} name="close" size=${20} /></a>
    </header>
    <div class="thread-list" tabindex="0">
      <${Message} message=${message} channel=${channel.id} report=${report} inThread />
      <div class="day"><span>${replies.length} ${replies.length === 1 ? "reply" : "replies"}</span></div>
      ${replies.map((reply) => html`<${Message} key=${reply.ts} message=${reply} channel=${channel.id} report=${report} inThread />`)}
    </div>
  </aside>`;
}
