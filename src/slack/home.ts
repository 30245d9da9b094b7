import { stepBlocks } from "../engine/answers.ts";
import type { Actor } from "../engine/operation.ts";
import { isOpen } from "../engine/request.ts";
import { stateWords, titleOf } from "../engine/request-view.ts";
import { linkStep } from "../engine/sentences.ts";
import type { Services } from "../engine/services.ts";
import { type Block, context, divider, header, section, type View } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { code, count, prose } from "../views/text.ts";

/** The Home tab: who the member is linked as, what waits, what goes on, and the ways in. */
export async function homeView(services: Services, member: string, slackUser: string): Promise<View> {
  const linked = await services.identities.find(member);
  const actor: Actor = linked
    ? { member, slackUser, scopes: linked.scopes, keyLabel: linked.keyLabel, project: linked.project }
    : { member, slackUser, scopes: [], keyLabel: "", project: null };
  const who = linked
    ? `You act as *${prose(linked.user.name, 80)}* with the key ${code(linked.keyLabel)}: ${linked.scopes.map((scope) => code(scope)).join(" ")}`
    : "You have not linked a key yet. Rackbell acts with your own key of the hosting platform, so that it can do what you can do and no more.";
  const refused = linked?.refusedAt
    ? [section(":warning: The platform refused this key when it was last used. Link a new one.")]
    : [];
  const blocks: Block[] = [
    header("Rackbell"),
    section(who),
    ...refused,
    ...stepBlocks(
      linked
        ? [
            { label: "List VPSes", command: "vps list", style: "primary" },
            { label: "Show a VPS…", command: "vps show" },
            { label: "Approvals", command: "rackbell approvals" },
            { label: "What can I do?", command: "rackbell help" },
            { label: "Who am I?", command: "rackbell whoami" },
          ]
        : [linkStep],
      services.registry,
      actor.scopes,
    ),
    divider(),
    ...(await waiting(services, actor)),
    divider(),
    ...(await goingOn(services, member)),
  ];
  return { type: "home", blocks };
}

async function waiting({ requests }: Services, actor: Actor): Promise<Block[]> {
  const open = (await requests.pending()).filter(
    (request) => isOpen(request) && (request.risk === "destroy" || request.member === actor.member),
  );
  if (open.length === 0) return [section("*Waiting to be decided*\nNothing.")];
  const lines = open
    .slice(0, 10)
    .map(
      (request) =>
        `• *${titleOf(request)}* · <@${request.slackUser}> · ${request.state === "pending" ? `expires ${moment(request.expiresAt)}` : stateWords(request)}`,
    );
  return [
    section(`*Waiting to be decided*\n${lines.join("\n")}`.slice(0, 2_900)),
    context(`${count(open.length, "request")}; \`/rackbell approvals\` has the buttons.`),
  ];
}

async function goingOn({ follow }: Services, member: string): Promise<Block[]> {
  const running = await follow.running(member);
  if (running.length === 0) return [section("*Going on for you*\nNothing.")];
  const lines = running.slice(0, 10).map(({ lead, text, since }) => `• ${lead}: ${text} (since ${moment(since)})`);
  return [section(`*Going on for you*\n${lines.join("\n")}`.slice(0, 2_900))];
}
