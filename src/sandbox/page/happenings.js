import { useState } from "preact/hooks";
import { send } from "./api.js";
import { WithCodes } from "./hints.js";
import { html } from "./html.js";
import { useWorkspace } from "./people.js";

/** Events outside of the workspace that a press makes happen, folded away below the channels, each with its outcome. */
export function Happenings({ happenings }) {
  const { me } = useWorkspace();
  const [said, setSaid] = useState("");
  if (happenings.length === 0) return null;
  const groups = [...new Set(happenings.map(({ group }) => group))];

  async function press(id) {
    const answer = await send("/page/happening", { as: me.id, id });
    setSaid(answer.ok ? answer.said : answer.error);
  }

  return html`<details class="happenings" data-testid="happenings">
    <summary>Make things happen</summary>
    <p class="happened" role="status"><${WithCodes} text=${said} /></p>
    ${groups.map(
      (group) => html`<fieldset>
        <legend>${group}</legend>
        ${happenings
          .filter((one) => one.group === group)
          .map(
            ({ id, label }) =>
              html`<button type="button" class="happening" onClick=${() => press(id)}>${label}</button>`,
          )}
      </fieldset>`,
    )}
  </details>`;
}
