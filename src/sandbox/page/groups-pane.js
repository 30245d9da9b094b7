import { useState } from "preact/hooks";
import { send } from "./api.js";
import { html } from "./html.js";
import { nameOf, useWorkspace } from "./people.js";

/** The user groups of the workspace. A mark puts a person into a group, in the name of the acting person. */
export function GroupsPane() {
  const { me, users, groups } = useWorkspace();
  const [problem, setProblem] = useState("");
  const people = users.filter(({ bot, deleted }) => !bot && !deleted);

  async function change(group, user, member) {
    const answer = await send("/page/group", { as: me.id, group, user, member });
    setProblem(answer.ok ? "" : answer.error);
  }

  return html`<div class="groups" data-testid="groups">
    <p role="status">${problem}</p>
    ${groups.length === 0 && html`<p>There are no user groups here.</p>`}
    ${groups.map(
      (group) => html`<fieldset class="group" key=${group.id}>
        <legend>@${group.handle}: ${sizeOf(group)}</legend>
        ${people.map(
          (user) => html`<label key=${user.id}>
            <input type="checkbox" checked=${group.users.includes(user.id)}
              onChange=${(event) => change(group.id, user.id, event.currentTarget.checked)} />${nameOf(user)}
          </label>`,
        )}
      </fieldset>`,
    )}
  </div>`;
}

/** Slack switches a group off that has nobody. */
function sizeOf({ users }) {
  if (users.length === 0) return "nobody, so it is switched off";
  return users.length === 1 ? "1 person" : `${users.length} people`;
}
