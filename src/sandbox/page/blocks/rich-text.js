import { emoji } from "../emoji.js";
import { ChannelMention, GroupMention, Moment, UserMention } from "../formatted.js";
import { html } from "../html.js";
import { safeUrl } from "../references.js";

const bullets = ["•", "◦", "▪"];

export function RichText({ block }) {
  return html`<div class="block"><${RichTextParts} elements=${block.elements} /></div>`;
}

/** The sections, lists, quotes and preformatted parts of a rich_text, in a block of its own or in a table's cell. */
export function RichTextParts({ elements }) {
  return elements.map((element) => html`<${Part} element=${element} />`);
}

function Part({ element }) {
  switch (element.type) {
    case "rich_text_section":
      return html`<div class="paragraph"><${Runs} elements=${element.elements} /></div>`;
    case "rich_text_quote":
      return html`<blockquote><${Runs} elements=${element.elements} /></blockquote>`;
    case "rich_text_preformatted":
      return html`<pre class="pre"><${Runs} elements=${element.elements} /></pre>`;
    case "rich_text_list":
      return html`<${List} list=${element} />`;
    default:
      return html`<div class="unsupported">unsupported rich text: ${element.type}</div>`;
  }
}

function List({ list }) {
  const depth = Math.min(4, list.indent ?? 0);
  return list.elements.map((item, index) => {
    const marker = list.style === "ordered" ? `${(list.offset ?? 0) + index + 1}.` : bullets[depth % bullets.length];
    return html`<div class="item depth-${depth}">
      <span class="marker">${marker}</span><span><${Runs} elements=${item.elements} /></span>
    </div>`;
  });
}

function Runs({ elements }) {
  return elements.map((element) => html`<${Run} element=${element} />`);
}

function Run({ element }) {
  switch (element.type) {
    case "text":
      return styled(withBreaks(element.text), element.style);
    case "link":
      return styled(link(element), element.style);
    case "emoji":
      return html`<span class="emoji" role="img" aria-label="${element.name} emoji">${emoji(element.name) ?? `:${element.name}:`}</span>`;
    case "user":
      return html`<${UserMention} id=${element.user_id} />`;
    case "channel":
      return html`<${ChannelMention} id=${element.channel_id} />`;
    case "usergroup":
      return html`<${GroupMention} id=${element.usergroup_id} />`;
    case "broadcast":
      return html`<span class="mention loud">@${element.range}</span>`;
    case "color":
      return html`<span class="colour">${element.value}</span>`;
    case "date":
      return html`<${Moment} node=${{ ...element, ts: element.timestamp, url: element.url && safeUrl(element.url) }} />`;
    default:
      return html`<span class="unsupported">unsupported rich text: ${element.type}</span>`;
  }
}

function link({ url, text }) {
  const safe = safeUrl(url);
  return safe ? html`<a href=${safe} target="_blank" rel="noopener noreferrer">${text ?? url}</a>` : (text ?? url);
}

function withBreaks(text) {
  return text.split("\n").flatMap((line, index) => (index ? [html`<br />`, line] : [line]));
}

function styled(content, style = {}) {
  let result = content;
  if (style.code) result = html`<code>${result}</code>`;
  if (style.strike) result = html`<s>${result}</s>`;
  if (style.italic) result = html`<em>${result}</em>`;
  if (style.bold) result = html`<strong>${result}</strong>`;
  return result;
}
