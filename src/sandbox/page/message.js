import { useRef } from "preact/hooks";
import { send } from "./api.js";
import { BlockList } from "./blocks/index.js";
import { clockTime } from "./dates.js";
import { Mrkdwn } from "./formatted.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { Menu } from "./menu.js";
import { Avatar, nameOf, useWorkspace } from "./people.js";
import { addressOf, useRoute } from "./route.js";
import { Surface, useNewSurface } from "./surface.js";

/** One message. `follows`: it comes right after another of the same author, whose name it need not repeat. */
export function Message({ message, channel, follows = false, inThread = false, report }) {
  const { me, users, timeZone } = useWorkspace();
  const author = users.find((user) => user.id === message.user.id) ?? message.user;
  const at = new Date(Number(message.ts) * 1000);
  const time = html`<time class="time" dateTime=${at.toISOString()} title=${at.toLocaleString("en-US", { timeZone })}>
    ${clockTime(at, timeZone)}
  </time>`;

  return html`<article class="message ${message.ephemeral ? "ephemeral" : ""} ${follows ? "follows" : ""}" data-testid="message" data-ts=${message.ts}>
    ${!message.ephemeral && html`<${MessageActions} message=${message} channel=${channel} inThread=${inThread} report=${report} />`}
    ${message.ephemeral && html`<div class="private-mark"><${Icon} name="eye" size=${14} /> Only visible to you</div>`}
    <div class="message-row">
      <div class="gutter">${follows ? time : html`<${Avatar} user=${author} />`}</div>
      <div class="message-body">
        ${
          !follows &&
          html`<div class="byline"><b class="author">${nameOf(author)}</b>${message.user.bot && html`<span class="badge">APP</span>`}${time}</div>`
        }
        <${Content} message=${message} channel=${channel} me=${me} report=${report} />
        ${message.attachments.map((attachment) => html`<${Attachment} attachment=${attachment} />`)}
        ${message.files.map((file) => html`<${File} file=${file} />`)}
        ${!inThread && message.replies.length > 0 && html`<${ThreadLink} message=${message} />`}
      </div>
    </div>
  </article>`;
}

/** The actions on a message: seen while the pointer or the keyboard is on it, and always where nothing hovers. */
function MessageActions({ message, channel, inThread, report }) {
  const { me, shortcuts } = useWorkspace();
  const route = useRoute();
  const where = { channel, ts: message.ts };

  async function use({ callback_id }) {
    const answer = await send("/page/shortcut", { as: me.id, where, callback_id });
    report(answer.ok ? undefined : answer.error);
  }

  const items = shortcuts
    .filter(({ type }) => type === "message")
    .map((one) => ({ label: one.name, description: one.description, pick: () => use(one) }));
  return html`<div class="message-actions">
    ${!inThread && html`<a class="plain" href=${addressOf(route, { thread: message.ts })} title="Reply in thread" aria-label="Reply in thread"><${Icon} name="reply" /></a>`}
    ${items.length > 0 && html`<${Menu} label="More actions" className="plain" items=${items}><${Icon} name="more" /><//>`}
  </div>`;
}

/** The older kind of rich content, as other apps send it: a bar, a title, words and fields. */
function Attachment({ attachment: { title, title_link: link, pretext, text, fallback, fields = [] } }) {
  const source = [pretext, text ?? (fields.length || title ? undefined : fallback)].filter(Boolean).join("\n");
  return html`<div class="attachment">
    ${title && html`<b>${link ? html`<${Mrkdwn} source=${`<${link}|${title}>`} />` : title}</b>`}
    ${source && html`<${Mrkdwn} source=${source} />`}
    ${fields.map((field) => html`<div><b>${field.title}</b> <${Mrkdwn} source=${field.value} /></div>`)}
  </div>`;
}

function Content({ message, channel, me, report }) {
  const { blocks } = message;
  const memory = useRef({});
  const where = { channel, ts: message.ts };
  const surface = useNewSurface({ as: me.id, where, blocks, memory: memory.current, report });
  const edited = message.edited && html`<span class="edited">(edited)</span>`;
  if (!blocks.length) return html`<div class="message-text"><${Mrkdwn} source=${message.text} />${edited}</div>`;
  return html`<${Surface.Provider} value=${surface}><${BlockList} blocks=${blocks} /><//>${edited}`;
}

function File({ file }) {
  return html`<a class="file" href=${file.url_private_download} download=${file.name} target="_blank" rel="noopener noreferrer">
    <${Icon} name="file" size=${24} />
    <span class="file-text"><b>${file.title || file.name}</b><span>${file.name} · ${sizeOf(file.size)}</span></span>
  </a>`;
}

function ThreadLink({ message }) {
  const { users } = useWorkspace();
  const route = useRoute();
  const replies = message.replies.filter((reply) => !reply.ephemeral);
  const count = replies.length;
  const authors = [...new Set(replies.map((reply) => reply.user.id))].slice(0, 3);
  return html`<a class="thread-link" href=${addressOf(route, { thread: message.ts })}>
    ${authors.map((id) => html`<${Avatar} user=${users.find((user) => user.id === id)} size=${24} />`)}
    <span>${count} ${count === 1 ? "reply" : "replies"}</span>
  </a>`;
}

function sizeOf(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
