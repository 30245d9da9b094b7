import { useState } from "preact/hooks";
import { Composer } from "./composer.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { Message } from "./message.js";
import { useWorkspace } from "./people.js";
import { Problem } from "./problem.js";
import { addressOf, useRoute } from "./route.js";

/** A message and its replies, beside the channel, with a box to reply in. */
export function Thread({ message, channel }) {
  const { me } = useWorkspace();
  const route = useRoute();
  const [draft, setDraft] = useState("");
  const [problem, setProblem] = useState(undefined);
  const { replies } = message;
  return html`<aside class="thread" data-testid="thread" aria-label="Thread">
    <header class="pane-header">
      <h2>Thread <span class="quiet">${channel.dm ? channel.name : `#${channel.name}`}</span></h2>
      <a class="plain cross" aria-label="Close thread" href=${addressOf(route, { thread: undefined })}><${Icon} name="close" size=${20} /></a>
    </header>
    <div class="thread-list" tabindex="0" role="group" aria-label="Replies">
      <${Message} message=${message} channel=${channel.id} report=${setProblem} inThread />
      <div class="day"><span>${replies.length} ${replies.length === 1 ? "reply" : "replies"}</span></div>
      ${replies.map((reply) => html`<${Message} key=${reply.ts} message=${reply} channel=${channel.id} report=${setProblem} inThread />`)}
    </div>
    ${problem && html`<${Problem} text=${problem} dismiss=${() => setProblem(undefined)} />`}
    ${
      !channel.readOnly &&
      html`<${Composer} as=${me.id} channel=${channel} thread=${message.ts} draft=${draft} setDraft=${setDraft} report=${setProblem} />`
    }
  </aside>`;
}
