import type { SlackUsers } from "../../../members/slack-user.ts";
import type { Fact } from "../../../operation/answer.ts";
import { identityFacts } from "../../../operation/identity.ts";
import { factsOfPreconditions } from "../../../operation/preconditions.ts";
import type { Manner } from "../../../passkeys/links.ts";
import { characters, type PlainText, plainly } from "../../../process/plain-text.ts";
import { inZone, moment } from "../../../views/format.ts";
import { lowerFirst, prose, unmarked } from "../../../views/text.ts";
import { actWords, pressWords } from "../../labels.ts";
import { isForRequesterAlone, lossAfterTitle, lossText, type Request, shownIdentity, titleOf } from "../../request.ts";
import { proposerOf } from "../agent/view.ts";
import type { ApprovedTarget } from "../bulk/record.ts";
import { targetFact } from "../bulk/view.ts";

/** All that the page shows before somebody decides, as plain text. It is signed as it stands here. */
export interface PasskeyPage {
  /** The act and the resource, as a question. */
  title: string;
  loss: string;
  facts: Fact[];
  /** The label of the button. */
  press: string;
}

/** The decision in a word, as the challenge and the audit log have it. */
export function decisionOf(
  { override, withBackup }: Manner,
  { mode, backupFirst }: Pick<Request, "mode" | "backupFirst">,
): string {
  if (override !== undefined) return "override";
  if (withBackup || backupFirst?.step === "chosen") return "approve with a backup first";
  return mode === "peer" ? "approve" : "confirm";
}

function requesterFact(request: Request): Fact {
  return request.agent === null
    ? { label: "Asked by", value: `<@${request.requester.slackUser}>` }
    : { label: "Proposed by", value: proposerOf(request) };
}

/** The text of the message with everything that *Details…* adds: each value that is sent, each fact, the rule and the time. */
export async function passkeyPage(
  { people }: { people: SlackUsers },
  request: Request,
  manner: Manner,
  targets: readonly ApprovedTarget[],
  reader: string,
): Promise<PasskeyPage> {
  const { override, withBackup, second } = manner;
  const { schedule, backupFirst, reason, originator, agent } = request;
  const { rule } = request.ruling;
  const identity = shownIdentity(request);
  const decision = decisionOf(manner, request);
  // An override runs at once.
  const at = schedule && override === undefined ? schedule.at : null;
  const when = at === null ? "" : `, ${moment(at)}`;
  const also = (label: string, value: string | null | undefined) => (value ? [{ label, value }] : []);
  const quoted = (label: string, words: PlainText | null | undefined) => also(label, words && prose(words, 500));
  const facts = [
    ...(identity ? identityFacts(identity) : []),
    requesterFact(request),
    ...quoted("Its reason, in its own words", agent?.why),
    ...also("Wanted by", originator && `<@${originator}>`),
    ...quoted("Why", reason),
    ...also("Runs", at === null ? null : moment(at)),
    ...targets.map(targetFact),
    ...also("Back up first", withBackup || backupFirst?.step === "chosen" ? backupFirst?.words : null),
    ...request.review.described,
    ...factsOfPreconditions(request.review.preconditions),
    ...request.review.shown,
    ...(isForRequesterAlone(request) ? request.review.personal : []),
    ...also("The rule", rule),
    ...quoted("Your reason for the override", override),
    ...also("So far", request.outcome),
    ...also("Twice", second ? "The same order was placed minutes ago. This orders a second one." : null),
  ];
  const texts = [titleOf(request), lossText(request), ...facts.map(({ value }) => value)];
  const shown = await plainWords(people, reader, texts);
  const verb = verbs[decision] ?? "Approve";
  const isConfirmedNow = decision === "confirm" && at === null;
  return {
    title: `${shown(`${titleOf(request)}${when}`)}?`,
    loss: shown(lossAfterTitle(request)),
    facts: facts.map(({ label, value }) => ({ label: shown(label), value: shown(value) })),
    press: characters(
      isConfirmedNow ? pressWords(request) : plainly`${verb}: ${lowerFirst(actWords(request))}${shown(when)}`,
    ),
  };
}

const verbs: Partial<Record<string, string>> = { override: "Override, and run at once", confirm: "Schedule" };

const mention = /<@([A-Z0-9]+)>/g;

/**
 * Turns mrkdwn into plain text for one reader. Times are in their zone, as in the message. Each member of these texts has name and Slack id:
 * a page has no profiles, and anybody can take another's name. While Slack does not answer, it has the id alone, and times are in UTC.
 */
export async function plainWords(
  people: SlackUsers,
  reader: string,
  texts: readonly string[],
): Promise<(text: string) => string> {
  const users = new Set(texts.flatMap((text) => [...text.matchAll(mention)].flatMap(([, user]) => user ?? [])));
  const found = [...users].map(async (user) => {
    const name = await people.person(user).then(
      (person) => `@${characters(person.name)} (${user})`,
      () => user,
    );
    return [user, name] as const;
  });
  const names = new Map(await Promise.all(found));
  const zone = await people.person(reader).then(
    (person) => person.zone,
    () => "UTC",
  );
  return (text) => plainWithNames(text, names, zone);
}

/** mrkdwn as plain text, with these words for those whom it mentions, and times in this zone. */
export function plainWithNames(text: string, names: ReadonlyMap<string, string>, zone: string): string {
  return unmarked(inZone(zone, text), (reference) =>
    reference
      .replace(mention, (whole, user: string) => names.get(user) ?? whole)
      .replace(/^<#([A-Z0-9]+)(?:\|[^<>]*)?>$/, "$1"),
  );
}

/** One text of mrkdwn in the same way. */
export async function plainFor(people: SlackUsers, reader: string, text: string): Promise<string> {
  return (await plainWords(people, reader, [text]))(text);
}
