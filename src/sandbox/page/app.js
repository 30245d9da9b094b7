import { h, render } from "preact";
import { useRef } from "preact/hooks";
import { AgentPane } from "./agent-pane.js";
import { here } from "./api.js";
import { AppPane } from "./app-pane.js";
import { Channel } from "./channel.js";
import { AskFirst } from "./confirm.js";
import { GroupsPane } from "./groups-pane.js";
import { GuidePane } from "./guide-pane.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { useChanges, useLive } from "./live.js";
import { Modal } from "./modal.js";
import { Avatar, nameOf, Workspace } from "./people.js";
import { PhonePane } from "./phone-pane.js";
import { addressOf, useRoute } from "./route.js";
import { ActAs, Sidebar } from "./sidebar.js";
import { restoreTheme, ThemeSwitch } from "./theme.js";

function Page() {
  const route = useRoute();
  const as = encodeURIComponent(route.as ?? "ana");
  const changes = useChanges(as);
  const { data: state, failed } = useLive(`/page/state?as=${as}`, changes.count("state"));
  const { data: modal } = useLive(`/page/modal?as=${as}&window=${here}`, changes.count("modal"));
  const loaded = useRef(undefined);

  if (failed && !state) return html`<${Failed} as=${route.as} />`;
  if (!state) return html`<div class="loading" role="status">Opening the practice workspace…</div>`;

  const bot = state.users.find((user) => user.bot);
  // A message for one person alone lasts until their window is loaded anew.
  loaded.current ??= state.now;
  const { me, users, groups, channels, shortcuts } = state;
  const workspace = { me, users, groups, channels, shortcuts, timeZone: me.tz, since: loaded.current };
  return html`<${Workspace.Provider} value=${workspace}><${AskFirst}>
    <${Frame} route=${route} state=${state} bot=${bot} changes=${changes} />
    <${Modal} key=${state.me.id} as=${state.me.id} stack=${modal?.stack ?? []} bot=${bot} />
  <//><//>`;
}

function Frame({ route, state, bot, changes }) {
  const { me, users, channels } = state;
  const dm = channels.find((channel) => channel.dm);
  const current = currentOf(route, state);
  // On a phone the list is a page of its own, which an empty `c` stands for.
  const showsList = route.c === "";

  return html`<div class="workspace ${showsList ? "shows-list" : "shows-channel"}">
    <header class="top">
      <${SkipLink} />
      <a class="plain back" aria-label="All channels" href=${addressOf(route, { c: "", thread: undefined })}><${Icon} name="back" size=${20} /></a>
      <h1 class="workspace-name">Rackbell Practice</h1>
      <${ActAs} me=${me} users=${users} />
      <${ThemeSwitch} />
    </header>
    <${Sidebar} channels=${channels} bot=${bot} current=${current.pane ?? current.channel?.id} hasGuide=${state.guide.length > 0} hasAgent=${state.agent} appUnread=${dm?.unread} happenings=${state.happenings} />
    <main class="pane">
      <${Pane} current=${current} route=${route} state=${state} bot=${bot} dm=${dm} changes=${changes} />
    </main>
  </div>`;
}

/** The pane that the address names: the agent, the guide or the app, else a channel. */
function currentOf({ c }, { channels, guide, agent }) {
  if (c === "agent" && agent) return { pane: "agent" };
  if (c === "phone" || c === "groups") return { pane: c };
  if (c === "guide" && guide.length > 0) return { pane: "guide" };
  if (c === "app" || channels.some((channel) => channel.dm && channel.id === c)) return { pane: "app" };
  const open = channels.filter((channel) => !channel.dm);
  const listed = open.find(({ id, name }) => id === c || name === c);
  return { channel: listed ?? open.find(({ name }) => name === "ops") ?? open[0] };
}

function Pane({ current: { pane, channel }, route, state, bot, dm, changes }) {
  const { me, commands, hints, guide } = state;
  if (pane === "phone") return html`<${PhonePane} phone=${state.phone} />`;
  if (pane === "groups") return html`<${GroupsPane} />`;
  if (pane === "agent") return html`<${AgentPane} key=${me.id} />`;
  if (pane === "guide") return html`<${GuidePane} pages=${guide} />`;
  if (pane === "app")
    return html`<${AppPane} key=${me.id} bot=${bot} dm=${dm} changes=${changes} commands=${commands} hints=${hints} header=${html`<${AppHeader} bot=${bot} />`} />`;
  return (
    channel &&
    html`<${Channel} key=${`${me.id} ${channel.id}`} channel=${channel} changes=${changes} commands=${commands}
      hints=${hints} thread=${route.thread} header=${html`<${ChannelHeader} channel=${channel} />`} />`
  );
}

/** The first stop of the Tab key: the channel's messages have hundreds. */
function SkipLink() {
  function skip(event) {
    event.preventDefault();
    const main = document.querySelector("main.pane");
    (main?.querySelector("textarea") ?? main?.querySelector("[tabindex], a, button"))?.focus();
  }
  return html`<a class="skip-link" href="#" onClick=${skip}>Skip to the message field</a>`;
}

function ChannelHeader({ channel }) {
  return html`<header class="pane-header">
    <h2>${channel.private ? html`<${Icon} name="lock" />` : html`<span class="hash">#</span>`}${channel.name}</h2>
    ${channel.shared && html`<span class="shared-note"><${Icon} name="shared" size=${14} /> Shared with another organisation</span>`}
  </header>`;
}

function AppHeader({ bot }) {
  return html`<header class="pane-header"><h2><${Avatar} user=${bot} size=${24} />${nameOf(bot)}</h2><span class="badge">APP</span></header>`;
}

function Failed({ as }) {
  // Ids are made anew at each start: an address from yesterday names a person who is gone.
  return html`<div class="loading" role="alert">
    <p>The practice workspace does not answer${as ? ", or it was restarted since this address was made" : ""}.</p>
    <a class="button" href="/">Open it from the start</a>
  </div>`;
}

restoreTheme();
render(h(Page), document.getElementById("page"));
