import { useEffect, useState } from "preact/hooks";
import { send } from "./api.js";
import { html } from "./html.js";
import { useWorkspace } from "./people.js";

const commands = ["vps reboot", "vps reinstall", "vps cancel"];
const pollMs = 1_000;

/** A member's agent, as a program outside of Slack has it: a token, five tools, and what became of each proposal. */
export function AgentPane() {
  const { me } = useWorkspace();
  const [token, setToken] = useState(null);
  const [said, setSaid] = useState("");
  const [tasks, setTasks] = useState([]);

  async function make() {
    setSaid("Making a token in Slack…");
    const answer = await send("/page/agent/token", { as: me.id });
    setToken(answer.ok ? answer.token : null);
    setSaid(answer.ok ? `The agent has the token that ${me.name} made. Rackbell keeps its hash alone.` : answer.error);
  }

  async function call(tool, input) {
    const answer = await send("/page/agent/call", { as: me.id, token, tool, input });
    if (!answer.result) setSaid(answer.error ?? "The app does not answer.");
    return answer.result;
  }

  async function list(tool, input) {
    const result = await call(tool, input);
    if (result) setSaid(JSON.stringify(result, null, 2));
  }

  async function propose(event) {
    event.preventDefault();
    const { command, target, why } = Object.fromEntries(new FormData(event.currentTarget));
    const input = command === "vps reinstall" ? { image: "Debian 13" } : {};
    const result = await call("propose", { command, target, why, input, key: crypto.randomUUID() });
    if (!result) return;
    setTasks((before) => [result, ...before.filter(({ request }) => request !== result.request)]);
    setSaid("Proposed. Decide it in Slack, and see it move here.");
  }

  const open = tasks.filter(({ over }) => !over);
  useEffect(() => {
    if (open.length === 0) return undefined;
    const timer = setInterval(async () => {
      for (const { request } of open) {
        const now = await call("request_status", { request });
        if (now) setTasks((before) => before.map((task) => (task.request === request ? now : task)));
      }
    }, pollMs);
    return () => clearInterval(timer);
  }, [open.map(({ request }) => request).join()]);

  return html`<div class="agent" data-testid="agent">
    <p>An agent reads with a member’s key and proposes. People decide in Slack.</p>
    ${
      token === null
        ? html`<button type="button" class="button primary" data-testid="agent-token" onClick=${make}>Make a token for ${me.name}</button>`
        : html`<p>
              <button type="button" class="button" onClick=${() => list("search_operations", { words: "snapshot", noun: "vps" })}>Search “snapshot”</button>${" "}
              <button type="button" class="button" data-testid="agent-read" onClick=${() => list("read", { command: "vps show", target: "web-1" })}>Read web-1</button>
            </p>
            <form class="agent-form" onSubmit=${propose}>
              <label>Command <select name="command">${commands.map((command) => html`<option>${command}</option>`)}</select></label>
              <label>Machine <input name="target" value="web-2" required /></label>
              <label>Why, in the words of the agent <input name="why" value="It does not answer since 02:10" maxlength="300" required /></label>
              <p><button type="submit" class="button primary" data-testid="agent-propose">Propose</button></p>
            </form>`
    }
    <div role="status">
      ${tasks.map(
        ({
          request,
          command,
          target,
          state,
          outcome,
          advice,
        }) => html`<section class="agent-task" key=${request} data-testid="agent-task">
          <strong>${command} ${target}</strong>: ${state}
          <div>${outcome} ${advice}</div>
        </section>`,
      )}
      <pre class="agent-said">${said}</pre>
    </div>
  </div>`;
}
