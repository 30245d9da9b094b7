import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { dayKey, dayLabel } from "./dates.js";
import { html } from "./html.js";
import { Message } from "./message.js";
import { useWorkspace } from "./people.js";

const nearEnd = 80;
const sameBreath = 5 * 60;

/** A channel's messages by day. It stays at the end while the reader is there, and says so when they are not. */
export function MessageList({ messages, channel, report, children }) {
  const { timeZone } = useWorkspace();
  const box = useRef(null);
  const atEnd = useRef(true);
  const [unseen, setUnseen] = useState(false);
  const last = messages.at(-1)?.ts;

  function toEnd() {
    box.current.scrollTop = box.current.scrollHeight;
  }

  useLayoutEffect(() => {
    if (atEnd.current) toEnd();
  }, [messages]);

  useLayoutEffect(() => {
    if (!atEnd.current) setUnseen(true);
  }, [last]);

  useLayoutEffect(() => {
    // The composer grows, a keyboard opens, a picture arrives: none of it may hide the last line.
    const watcher = new ResizeObserver(() => atEnd.current && toEnd());
    watcher.observe(box.current);
    watcher.observe(box.current.firstElementChild);
    return () => watcher.disconnect();
  }, []);

  function scrolled() {
    // The last of a fling comes when the list is gone.
    if (!box.current) return;
    const { scrollTop, scrollHeight, clientHeight } = box.current;
    atEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd;
    if (atEnd.current) setUnseen(false);
  }

  return html`<div class="message-pane">
    <div class="message-list" ref=${box} onScroll=${scrolled} tabindex="0" role="log" aria-label="Messages">
      <div class="message-stack">
        ${children}
        ${messages.map((message, index) => {
          const before = messages[index - 1];
          const at = new Date(Number(message.ts) * 1000);
          const newDay = !before || dayKey(at, timeZone) !== dayKey(new Date(Number(before.ts) * 1000), timeZone);
          return [
            newDay &&
              html`<div class="day" key=${`day ${message.ts}`}><span>${dayLabel(at, timeZone, Date.now())}</span></div>`,
            html`<${Message} key=${message.ts} message=${message} channel=${channel} report=${report}
              follows=${!newDay && isFollowing(before, message)} />`,
          ];
        })}
      </div>
    </div>
    ${unseen && html`<button type="button" class="to-end" onClick=${toEnd}>New messages ↓</button>`}
  </div>`;
}

function isFollowing(before, message) {
  return (
    before.user.id === message.user.id &&
    !before.ephemeral &&
    !message.ephemeral &&
    before.replies.length === 0 &&
    Number(message.ts) - Number(before.ts) < sameBreath
  );
}
