import { useEffect, useRef, useState } from "preact/hooks";
import { send } from "./api.js";
import { BlockList } from "./blocks/index.js";
import { Channel } from "./channel.js";
import { html } from "./html.js";
import { useLive } from "./live.js";
import { nameOf, useWorkspace } from "./people.js";
import { addressOf, useRoute } from "./route.js";
import { Surface, useNewSurface } from "./surface.js";

/** The app's own place: its Home tab, and the direct messages with it. */
export function AppPane({ bot, dm, changes, commands, hints, header }) {
  const route = useRoute();
  const tab = route.tab === "messages" ? "messages" : "home";
  const tabs = html`<div class="tabs" role="tablist">
    ${["home", "messages"].map(
      (name) => html`<a role="tab" aria-selected=${tab === name} class=${tab === name ? "tab active" : "tab"}
        href=${addressOf(route, { tab: name, thread: undefined })}>${name === "home" ? "Home" : "Messages"}</a>`,
    )}
  </div>`;
  const top = html`${header}${tabs}`;
  if (tab === "home")
    return html`<div class="channel"><section class="channel-main">${top}<${Home} changes=${changes} /></section></div>`;
  const channel = { dm: true, ...dm, name: nameOf(bot) };
  return html`<${Channel} channel=${channel} changes=${changes} commands=${commands} hints=${hints} thread=${route.thread} header=${top} />`;
}

function Home({ changes }) {
  const { me } = useWorkspace();
  const { data } = useLive(`/page/home?as=${me.id}`, changes.count("home"));
  const [problem, setProblem] = useState(undefined);
  const memory = useRef({});
  const view = data?.view;
  const surface = useNewSurface({
    as: me.id,
    where: { home: true },
    blocks: view?.blocks ?? [],
    memory: memory.current,
    report: setProblem,
  });

  useEffect(() => {
    send("/page/home/open", { as: me.id }).then((answer) => setProblem(answer.ok ? undefined : answer.error));
  }, [me.id]);

  return html`<div class="home" data-testid="home" tabindex="0">
    ${problem && html`<div class="problem" role="alert">${problem}</div>`}
    ${
      view
        ? html`<${Surface.Provider} value=${surface}><${BlockList} blocks=${view.blocks} /><//>`
        : data && html`<p class="quiet">The app has not shown anything here yet.</p>`
    }
  </div>`;
}
