import { useEffect, useState } from "preact/hooks";
import { Composer } from "./composer.js";
import { Hints } from "./hints.js";
import { html } from "./html.js";
import { useLive } from "./live.js";
import { MessageList } from "./message-list.js";
import { useWorkspace } from "./people.js";
import { Problem } from "./problem.js";
import { Thread } from "./thread.js";

/** A channel's messages and the composer under them. Keyed by channel and person, so nothing leaks from one to another. */
export function Channel({ channel, changes, commands, hints, thread, header }) {
  const { me, since } = useWorkspace();
  const { data, failed } = useLive(
    `/page/channel/${channel.id}?as=${me.id}&since=${since}`,
    changes.count("channel", channel.id),
  );
  const [problem, setProblem] = useState(undefined);
  const [draft, setDraft] = useState("");
  const messages = data?.messages ?? [];
  const open = thread && messages.find((message) => message.ts === thread);

  useEffect(() => {
    // A message that was read here is no longer unread in the sidebar.
    if (data) changes.note({ what: "state" });
  }, [data]);

  useEffect(() => {
    document.title = `${channel.dm ? channel.name : `#${channel.name}`} · practice workspace`;
  }, [channel.name]);

  return html`<div class="channel ${open ? "with-thread" : ""}">
    <section class="channel-main" aria-label=${channel.dm ? channel.name : `#${channel.name}`}>
      ${header}
      ${hints?.length > 0 && html`<${Hints} hints=${hints} use=${setDraft} />`}
      <${MessageList} messages=${messages} channel=${channel.id} report=${setProblem}>
        <${Beginning} channel=${channel} empty=${data && !messages.length} />
      <//>
      ${failed && html`<div class="problem line" role="alert">This channel could not be read. Trying again with the next change.</div>`}
      ${problem && html`<${Problem} text=${problem} dismiss=${() => setProblem(undefined)} />`}
      ${
        channel.readOnly
          ? html`<p class="quiet read-only">Sending messages to this app has been turned off.</p>`
          : html`<${Composer} as=${me.id} channel=${channel} commands=${commands} draft=${draft} setDraft=${setDraft} report=${setProblem} />`
      }
    </section>
    ${open && html`<${Thread} key=${open.ts} message=${open} channel=${channel} />`}
  </div>`;
}

function Beginning({ channel, empty }) {
  const start = channel.dm
    ? `This is the beginning of your messages with ${channel.name}.`
    : `This is the very beginning of the ${channel.private ? "private " : ""}#${channel.name} channel.`;
  return html`<div class="beginning">
    <p>${start}${channel.shared && " People of another organisation read it, too."}</p>
    ${empty && html`<p class="quiet">Nothing has been said here yet. Type / to see what the app can do.</p>`}
  </div>`;
}
