import { Happenings } from "./happenings.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { Avatar, nameOf, roleOf } from "./people.js";
import { addressOf, go, useRoute } from "./route.js";

/** The list of channels and the app, as the acting person sees them. */
export function Sidebar({ channels, bot, current, hasGuide, hasAgent, appUnread, happenings }) {
  const places = channels.filter((channel) => !channel.dm);
  return html`<nav class="sidebar" aria-label="Channels and apps">
    <h2 class="sidebar-label">Channels</h2>
    ${places.map((channel) => html`<${ChannelLink} channel=${channel} active=${channel.id === current} />`)}
    <h2 class="sidebar-label">Apps</h2>
    <${AppLink} bot=${bot} unread=${appUnread} active=${current === "app"} />
    ${hasGuide && html`<${PaneLink} name="guide" title="Guide" icon="file" active=${current === "guide"} />`}
    ${hasAgent && html`<${PaneLink} name="agent" title="Agent" icon="file" active=${current === "agent"} />`}
    <${PaneLink} name="phone" title="Phone" icon="phone" active=${current === "phone"} />
    <${PaneLink} name="groups" title="User groups" icon="people" active=${current === "groups"} />
    <${Happenings} happenings=${happenings} />
  </nav>`;
}

function ChannelLink({ channel, active }) {
  const route = useRoute();
  const className = `place ${active ? "active" : ""} ${channel.unread ? "unread" : ""}`;
  return html`<a class=${className} data-testid="channel-${channel.name}" aria-current=${active ? "page" : undefined}
    href=${addressOf(route, { c: channel.name, tab: undefined, thread: undefined })}>
    <span class="place-mark">${channel.private ? html`<${Icon} name="lock" size=${14} />` : "#"}</span>
    <span class="place-name">${channel.name}</span>
    ${channel.shared && html`<span class="shared" title="Shared with another organisation"><${Icon} name="shared" size=${13} /> shared</span>`}
    <${Unread} count=${channel.unread} />
  </a>`;
}

function AppLink({ bot, unread, active }) {
  const route = useRoute();
  return html`<a class="place ${active ? "active" : ""} ${unread ? "unread" : ""}" data-testid="channel-app" aria-current=${active ? "page" : undefined}
    href=${addressOf(route, { c: "app", tab: undefined, thread: undefined })}>
    <${Avatar} user=${bot} size=${20} /><span class="place-name">${nameOf(bot)}</span><${Unread} count=${unread} />
  </a>`;
}

function PaneLink({ name, title, icon, active }) {
  const route = useRoute();
  return html`<a class="place ${active ? "active" : ""}" data-testid="channel-${name}" aria-current=${active ? "page" : undefined}
    href=${addressOf(route, { c: name, tab: undefined, thread: undefined })}>
    <span class="place-mark"><${Icon} name=${icon} size=${14} /></span><span class="place-name">${title}</span>
  </a>`;
}

function Unread({ count }) {
  if (!count) return null;
  return html`<span class="unread-count" aria-label="unread">${count}</span>`;
}

/** The choice of who acts. A place that the next person cannot see gives way to #ops. */
export function ActAs({ me, users }) {
  const people = users.filter((user) => !user.bot);
  return html`<label class="act-as"><span>Act as</span>
    <${Avatar} user=${me} size=${24} />
    <select data-testid="act-as" aria-label="Act as" value=${me.name}
      onChange=${(event) => go({ as: event.currentTarget.value, thread: undefined })}>
      ${people.map(
        (user) =>
          html`<option value=${user.name} selected=${user.id === me.id}>${nameOf(user)} · ${user.deleted ? "deactivated" : roleOf(user)}</option>`,
      )}
    </select>
    <${Icon} name="down" size=${14} />
  </label>`;
}
