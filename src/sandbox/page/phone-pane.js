import { send } from "./api.js";
import { clockTime } from "./dates.js";
import { Mrkdwn } from "./formatted.js";
import { html } from "./html.js";
import { useWorkspace } from "./people.js";

const spans = [
  { label: "For 1 hour", minutes: 60 },
  { label: "For 8 hours", minutes: 480 },
  { label: "Off", minutes: 0 },
];

/** The acting person's phone: the messages that notified them, and their Do Not Disturb. */
export function PhonePane({ phone: { notifications, quietUntil } }) {
  const { me, timeZone } = useWorkspace();
  const until = quietUntil === null ? "off" : `on until ${clockTime(new Date(quietUntil), timeZone)}`;
  return html`<div class="phone" data-testid="phone">
    <fieldset class="phone-quiet">
      <legend>Do Not Disturb: ${until}</legend>
      ${spans.map(
        ({ label, minutes }) =>
          html`<button type="button" class="small" onClick=${() => send("/page/quiet", { as: me.id, minutes })}>${label}</button>`,
      )}
    </fieldset>
    ${notifications.length === 0 && html`<p>No message has notified you. A mention and a direct message do.</p>`}
    <ol class="phone-notifications">
      ${notifications.map(
        ({
          ts,
          text,
          channel,
          silenced,
        }) => html`<li key=${ts} class=${silenced ? "silenced" : ""} data-testid="phone-notification">
          <b>${channel === null ? "Direct message" : `#${channel}`}</b> <time>${clockTime(new Date(Number(ts) * 1000), timeZone)}</time>${silenced && html` <span class="badge">Silenced</span>`}
          <div><${Mrkdwn} source=${text} /></div>
        </li>`,
      )}
    </ol>
  </div>`;
}
