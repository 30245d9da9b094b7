import { Fragment, h } from "preact";
import { formatDate } from "./dates.js";
import { html } from "./html.js";
import { parsePlain } from "./inline.js";
import { parseMrkdwn } from "./mrkdwn.js";
import { nameOf, useWorkspace } from "./people.js";
import { addressOf, useRoute } from "./route.js";

/** A Slack text object: mrkdwn, or plain text with emoji. */
export function Text({ object }) {
  if (!object) return null;
  if (object.type !== "mrkdwn")
    return html`<${Inline} nodes=${object.emoji === false ? [{ type: "text", text: object.text }] : parsePlain(object.text)} />`;
  return html`<${Mrkdwn} source=${object.text} verbatim=${object.verbatim} />`;
}

export function Mrkdwn({ source, verbatim = false }) {
  return html`<${Blocks} blocks=${parseMrkdwn(source, { verbatim })} />`;
}

/** Parsed text as elements. Text becomes text nodes only, never markup. */
export function Blocks({ blocks }) {
  return blocks.map((block) => html`<${Block} block=${block} />`);
}

function Block({ block }) {
  switch (block.type) {
    case "quote":
      return html`<blockquote><${Blocks} blocks=${block.children} /></blockquote>`;
    case "pre":
      return html`<pre class="pre"><${Inline} nodes=${block.children} /></pre>`;
    case "item":
      return html`<div class="item depth-${block.depth}">
        <span class="marker">${block.marker}</span><span><${Inline} nodes=${block.children} /></span>
      </div>`;
    case "heading":
      return h(
        `h${Math.min(block.level + 2, 6)}`,
        { class: `heading level-${block.level}` },
        html`<${Inline} nodes=${block.children} />`,
      );
    case "rule":
      return html`<hr />`;
    case "table":
      return html`<${Rows} block=${block} />`;
    default:
      return html`<div class="paragraph"><${Inline} nodes=${block.children} /></div>`;
  }
}

function Rows({ block }) {
  const [head, ...rows] = block.rows;
  const cell = (tag) => (nodes, column) =>
    h(tag, { class: `align-${block.align[column] ?? "left"}` }, html`<${Inline} nodes=${nodes} />`);
  // A column without a title has no header: a screen reader would read out an empty one before each of its cells.
  const title = (nodes, column) => cell(nodes.length === 0 ? "td" : "th")(nodes, column);
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table class="table">
    <thead><tr>${head.map(title)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map(cell("td"))}</tr>`)}</tbody>
  </table></div>`;
}

function Inline({ nodes }) {
  return h(Fragment, null, ...nodes.map((node) => html`<${Node} node=${node} />`));
}

function Node({ node }) {
  switch (node.type) {
    case "text":
      return node.text;
    case "break":
      return html`<br />`;
    case "bold":
      return html`<strong><${Inline} nodes=${node.children} /></strong>`;
    case "italic":
      return html`<em><${Inline} nodes=${node.children} /></em>`;
    case "strike":
      return html`<s><${Inline} nodes=${node.children} /></s>`;
    case "code":
      return html`<code><${Inline} nodes=${node.children} /></code>`;
    case "emoji":
      return html`<span class="emoji" role="img" aria-label=${`${node.name} emoji`}>${node.unicode}</span>`;
    case "link":
      // A link to the workspace itself, as between pages of the guide, stays in its window.
      return node.url.startsWith(`${location.origin}/`)
        ? html`<a href=${node.url}>${node.label}</a>`
        : html`<a href=${node.url} target="_blank" rel="noopener noreferrer">${node.label}</a>`;
    case "broadcast":
      return html`<span class="mention loud">@${node.range}</span>`;
    case "usergroup":
      return html`<${GroupMention} id=${node.id} label=${node.label} />`;
    case "user":
      return html`<${UserMention} id=${node.id} label=${node.label} />`;
    case "channel":
      return html`<${ChannelMention} id=${node.id} label=${node.label} />`;
    case "date":
      return html`<${Moment} node=${node} />`;
    default:
      return null;
  }
}

export function UserMention({ id, label }) {
  const { me, users } = useWorkspace();
  const user = users.find((one) => one.id === id);
  return html`<span class=${id === me.id ? "mention loud" : "mention"}>@${user ? nameOf(user) : (label ?? id)}</span>`;
}

export function GroupMention({ id, label }) {
  const { me, groups } = useWorkspace();
  const group = groups.find((one) => one.id === id);
  return html`<span class=${group?.users.includes(me.id) ? "mention loud" : "mention"}>${group ? `@${group.handle}` : (label ?? `@${id}`)}</span>`;
}

export function ChannelMention({ id, label }) {
  const route = useRoute();
  const channel = useWorkspace().channels.find((one) => one.id === id);
  if (!channel) return html`<span class="mention">#${label || "private channel"}</span>`;
  return html`<a class="mention" href=${addressOf(route, { c: channel.name, tab: undefined, thread: undefined })}>#${channel.name}</a>`;
}

export function Moment({ node }) {
  const { timeZone } = useWorkspace();
  const text = formatDate(node.ts, node.format, timeZone, Date.now()) ?? node.fallback;
  const at = new Date(node.ts * 1000);
  const time = html`<time dateTime=${at.toISOString()} title=${at.toLocaleString("en-US", { timeZone })}>${text}</time>`;
  return node.url ? html`<a href=${node.url} target="_blank" rel="noopener noreferrer">${time}</a>` : time;
}
