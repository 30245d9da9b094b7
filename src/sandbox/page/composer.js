import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { send } from "./api.js";
import { commandOf, completionsOf } from "./completion.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { Menu } from "./menu.js";
import { useWorkspace } from "./people.js";

/** The field for messages and commands; with `thread`, the timestamp of its first message, replies to it. */
export function Composer({ as, channel, thread, commands = [], draft, setDraft, report }) {
  const list = useId();
  const { users, channels, shortcuts } = useWorkspace();
  const field = useRef(null);
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  const [left, setLeft] = useState(undefined);
  const found =
    left === draft ? undefined : completionsOf(draft, Math.min(caret, draft.length), { commands, users, channels });
  const usage = found ? undefined : commandOf(draft, commands);
  const title = thread ? "Reply…" : `Message ${channel.dm ? "" : "#"}${channel.name}`;

  useLayoutEffect(() => {
    field.current.style.height = "auto";
    field.current.style.height = `${Math.min(field.current.scrollHeight, 200)}px`;
  }, [draft]);

  useEffect(() => {
    // A command that was put here from elsewhere (a hint) waits for Enter.
    if (!draft || document.activeElement === field.current) return;
    field.current.focus();
    setCaret(draft.length);
  }, [draft]);

  function type(text, at) {
    setDraft(text);
    setCaret(at);
    setActive(0);
  }

  function complete(item) {
    const text = draft.slice(0, found.from) + item.insert + draft.slice(caret);
    const at = found.from + item.insert.length;
    type(text, at);
    field.current.focus();
    queueMicrotask(() => field.current.setSelectionRange(at, at));
  }

  function startCommand() {
    type("/", 1);
    field.current.focus();
  }

  async function post() {
    const text = draft.trim();
    if (!text) return;
    report(undefined);
    type("", 0);
    const answer = await sendText(text);
    if (answer.ok) return;
    report(answer.error);
    // A failed text can be tried again, unless something else has been typed by now.
    if (field.current?.value === "") setDraft(text);
  }

  function sendText(text) {
    if (!text.startsWith("/")) return send("/page/say", { as, channel: channel.id, text, thread });
    if (thread)
      return {
        ok: false,
        error: `Slash commands do not work in threads. ${channel.dm ? "Leave the slash out." : "Mention the app: @Rackbell, and the rest without the slash."}`,
      };
    return send("/page/command", { as, channel: channel.id, text });
  }

  async function choose({ callback_id }) {
    const answer = await send("/page/shortcut", { as, callback_id });
    report(answer.ok ? undefined : answer.error);
  }

  const anywhere = shortcuts
    .filter(({ type }) => type === "global")
    .map((one) => ({ label: one.name, description: one.description, pick: () => choose(one) }));

  /** The act of the key now; undefined where it only types. */
  function actOf({ key, shiftKey }) {
    const chosen = found?.items[active];
    const exact = chosen?.insert.trim() === draft.trim();
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (found && step) return () => setActive((active + step + found.items.length) % found.items.length);
    if (found && key === "Tab") return () => complete(chosen);
    if (found && key === "Escape") return () => setLeft(draft);
    if (key !== "Enter" || shiftKey) return undefined;
    return found && !exact ? () => complete(chosen) : post;
  }

  function keyed(event) {
    const act = event.isComposing ? undefined : actOf(event);
    if (!act) return;
    act();
    event.preventDefault();
  }

  return html`<div class="composer-area">
    ${found && html`<${Completions} id=${list} found=${found} active=${active} pick=${complete} />`}
    ${usage && html`<div class="usage"><b>${usage.command}</b> ${usage.usage_hint} <span class="quiet">${usage.description}</span></div>`}
    <form class="composer" onSubmit=${(event) => {
      event.preventDefault();
      post();
    }}>
      <textarea ref=${field} rows="1" data-testid=${thread ? "reply" : "composer"} aria-label=${title} placeholder=${title} value=${draft}
        role="combobox" aria-expanded=${Boolean(found)} aria-autocomplete="list" aria-controls=${found && list}
        aria-activedescendant=${found && `${list}-${active}`} autocomplete="off"
        autocapitalize="off" spellcheck=${false} enterkeyhint="send"
        onInput=${(event) => type(event.currentTarget.value, event.currentTarget.selectionStart)}
        onKeyUp=${(event) => setCaret(event.currentTarget.selectionStart)}
        onClick=${(event) => setCaret(event.currentTarget.selectionStart)} onKeyDown=${keyed}></textarea>
      <div class="composer-bar">
        ${!thread && html`<button type="button" class="slash" aria-label="Commands" onClick=${startCommand}>/</button>`}
        ${anywhere.length > 0 && html`<${Menu} label="Shortcuts" className="slash" items=${anywhere}><${Icon} name="bolt" size=${14} /><//>`}
        <span class="quiet keys">Enter to send, Shift + Enter for a new line</span>
        <button type="submit" class="send" aria-label="Send" disabled=${!draft.trim()}>
          <svg viewBox="0 0 16 16" width="16" height="16" fill="currentColor" aria-hidden="true"><path d="M1.5 2.2 14.5 8 1.5 13.8 3 8.8 9 8 3 7.200z" /></svg>
        </button>
      </div>
    </form>
  </div>`;
}

function Completions({ id, found, active, pick }) {
  const list = useRef(null);
  useEffect(() => {
    list.current.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return html`<div id=${id} ref=${list} class="completions" role="listbox" aria-label="Completions"
    onMouseDown=${(event) => event.preventDefault()}>
    ${found.items.map(
      (
        item,
        index,
      ) => html`<div id=${`${id}-${index}`} class="completion ${index === active ? "active" : ""}" role="option"
        aria-selected=${index === active} onClick=${() => pick(item)}>
        <div><b>${item.title}</b> ${item.usage && html`<span class="completion-usage">${item.usage}</span>`}</div>
        ${item.description && html`<div class="completion-description">${item.description}</div>`}
      </div>`,
    )}
  </div>`;
}
