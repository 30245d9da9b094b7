import type { Button } from "@slack/types";
import { isShown, unshownValues } from "../messages/answers/values.ts";
import type { Fact } from "../operation/answer.ts";
import { factsOfPreconditions } from "../operation/preconditions.ts";
import { protectionNote } from "../policy/protection/protection.ts";
import type { Responsibility, WaitingSubject } from "../policy/responsibility/responsibility.ts";
import { takeBlocks, takeButton, waitBlocks } from "../policy/responsibility/take-view.ts";
import { characters, type PlainText, plainly } from "../process/plain-text.ts";
import {
  actions,
  type Block,
  boldLines,
  button,
  context,
  facts,
  type Message,
  paragraphs,
  section,
} from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { limits } from "../views/limits.ts";
import { code, listing, lowerFirst, packed, prose, unmarked } from "../views/text.ts";
import {
  addAction,
  backupFirstAction,
  chooseBackupAction,
  countAction,
  denyAction,
  detailsAction,
  leaveBackupAction,
  narrowAction,
  passkeyActions,
  pressAction,
  pressSecondAction,
  rescheduleAction,
  takeAction,
  withdrawAction,
} from "./actions.ts";
import { buttonStyle, confirmationDialog, isCutShort } from "./dialog.ts";
import { agentBlocks, askedBy, proposingSubject } from "./facets/agent/view.ts";
import { askedApartWords, awayWords } from "./facets/approvers/view.ts";
import { type BackupFirst, backupWords } from "./facets/backup-first/record.ts";
import { countModalValue } from "./facets/bulk/view.ts";
import { isDeferred } from "./facets/defer/record.ts";
import { deferButton, deferralWords } from "./facets/defer/view.ts";
import { canNarrow } from "./facets/narrow/record.ts";
import { overrideButton } from "./facets/override/view.ts";
import { passkeyNote } from "./facets/passkey/gate.ts";
import { scheduleFact } from "./facets/schedule/view.ts";
import { actWords, backWords, pressWords } from "./labels.ts";
import {
  chosenBackup,
  identityLine,
  isForRequesterAlone,
  lossAfterTitle,
  lossBesideTitle,
  lossText,
  ownView,
  type Request,
  takesMore,
  timedTitle,
  titleOf,
} from "./request.ts";
import { controlValue } from "./shown-facts.ts";
import type { PressEvent } from "./states.ts";

/** On a phone, the name, the loss and the buttons must fit on one screen: of the facts that do not decide, so many of this length. */
const mostFacts = 6;
const mostInFact = 60;

/**
 * The pending message. `alone`: only the requester sees it, with their personal facts; `listed`: blocks about each target;
 * `responsibility`: who has taken it; `waiting`: its steps. All that it leaves out is in *Details…*.
 */
export function pendingMessage(
  request: Request,
  {
    alone,
    listed,
    responsibility,
    waiting = null,
    may = null,
  }: {
    alone: boolean;
    listed: Block[];
    responsibility: Responsibility;
    waiting?: WaitingSubject | null;
    may?: Buttons;
  },
): Message {
  const title = titleOf(request);
  const where = identityLine(request);
  const mention = request.approvers?.mention;
  const called = mention ? ` ${mention}, please decide.` : "";
  const loss = lossLines(request);
  const isOwn = alone && request.agent === null;
  const asks = request.agent === null ? "asks" : "proposes";
  const who = `${proposingSubject(request)} ${asks} to ${request.schedule ? "schedule: " : ""}*${title}*`;
  // A sentence about an interruption says "the machine", and not which one.
  const isNamed =
    loss.length > 0 && (request.target === null || isShown(code(request.target.name), request.review.loss));
  const own = isNamed ? [...loss, where] : [`*${title}*`, where, ...loss];
  const lead = isOwn ? own : [who, where, ...loss];
  const whole = `${timedTitle(request)}.${lossAfterTitle(request, " ")}`;
  const why = [
    ...reasonFacts(request).map(({ label, value }) => `${label}: ${value}`),
    ...(called ? [called.trim()] : []),
  ];
  const { shown, hidden } = partedFacts(request, { alone });
  const taking = takeParts(request, responsibility, may);
  const ending = `${alone ? "Only you see this." : pressersWords(request)} It expires ${moment(request.expiresAt)}.`;
  return {
    text: isOwn ? whole : `${proposingSubject(request)} ${asks}: ${whole}${called}`,
    blocks: [
      ...leadBlocks(lead),
      ...agentBlocks(request),
      ...paragraphs(why),
      ...factBlocks(alone ? ownView(request) : request, shown, listed),
      ...taking.blocks,
      ...waitBlocks(responsibility, waiting),
      context(`${ending}${hiddenWords(request, hidden)}${alone ? reloadAdvice : ""}`),
      ...actions(pendingButtons(request, { take: taking.buttons, may }), "request"),
    ],
  };
}

/**
 * The message to one who only pays, in their direct messages: the facts of the message in the channel, all that will be sent or compared, and
 * only the buttons that decide.
 */
export function shortMessage(request: Request, listed: Block[]): Message {
  const title = titleOf(request);
  const asks = request.agent === null ? "asks" : "proposes";
  const lead = `${proposingSubject(request)} ${asks} you to approve *${title}*`;
  const { shown, hidden } = partedFacts(request, { alone: false, whole: true });
  const decides: ReadonlySet<PressEvent> = new Set(["approve", "deny"]);
  return {
    text: `${proposingSubject(request)} ${asks} you to approve: ${timedTitle(request)}.${lossAfterTitle(request, " ")}`,
    blocks: [
      ...leadBlocks([lead, identityLine(request), ...lossLines(request)]),
      ...agentBlocks(request),
      ...paragraphs(reasonFacts(request).map(({ label, value }) => `${label}: ${value}`)),
      ...factBlocks(request, shown, listed),
      ...deferralWords(request).map((words) => section(words)),
      context(`${pressersWords(request)} It expires ${moment(request.expiresAt)}.${hiddenWords(request, hidden)}`),
      ...actions([...decidingButtons(request, decides), button("Details…", detailsAction, request.id)], "request"),
    ],
  };
}

/** The reason why it waits again, or what it would repeat: another decision than the first. */
export function outcomeBlocks({ outcome }: Request): Block[] {
  return outcome ? paragraphs([`:information_source: ${outcome}`]) : [];
}

/** All facts of a message that asks for a decision: a card that chose its own would leave out one that decides. */
function factBlocks(request: Request, shown: Fact[], listed: Block[]): Block[] {
  return [...facts(shown), ...outcomeBlocks(request), ...listed, ...backupLine(request), ...noteBlocks(request)];
}

/** That somebody deferred it or has taken it, and the button that takes it: nobody takes what is deferred. */
function takeParts(
  request: Request,
  responsibility: Responsibility,
  may: Buttons,
): { blocks: Block[]; buttons: Button[] } {
  const blocks = deferralWords(request).map((words) => section(words));
  if (isDeferred(request)) return { blocks, buttons: [] };
  const buttons = request.mode === "peer" && may === null ? [takeButton(takeAction, request.id, responsibility)] : [];
  // A reschedule after the take may have brought its end before the end of the take.
  const endsAt = request.state === "pending" ? request.expiresAt : null;
  return { blocks: [...blocks, ...takeBlocks(responsibility, { endsAt })], buttons };
}

/** The lines with which a request begins, in as many sections as a long loss needs: a cut one would hide what somebody decides about. */
function leadBlocks(lines: readonly string[]): Block[] {
  return paragraphs(lines.filter((line) => line !== ""));
}

/** The loss or the price, and each warning in a line of its own. */
function lossLines(request: Request): string[] {
  const { risk } = request;
  return lossBesideTitle(request).flatMap((sentence, at) =>
    boldLines(sentence, risk === "spend" && at === 0 ? ":moneybag:" : ":warning:"),
  );
}

/**
 * Everything about a pending request for one reader: each target (`listed`), each value that will be sent, each fact, and the buttons that
 * the message has no room for.
 */
export function detailsMessage(
  request: Request,
  {
    alone,
    listed,
    responsibility,
    waiting = null,
    may,
  }: { alone: boolean; listed: Block[]; responsibility: Responsibility; waiting?: WaitingSubject | null; may: Buttons },
): Message {
  const where = identityLine(request);
  const sent = [...scheduleFact(request), ...reasonFacts(request), ...request.review.described];
  const checked = factsOfPreconditions(request.review.preconditions);
  const others = [...request.review.shown, ...(alone ? request.review.personal : [])];
  const { backupFirst } = request;
  const heading = (words: string, rows: Fact[]) => (rows.length > 0 ? [section(words), ...facts(rows)] : []);
  return {
    text: `${titleOf(request)}${lossAfterTitle(request, ": ")}`,
    blocks: [
      ...leadBlocks([`*${titleOf(request)}* · ${askedBy(request)}`, where, ...lossLines(request)]),
      ...agentBlocks(request),
      ...(request.state === "pending" ? outcomeBlocks(request) : []),
      ...listed,
      ...heading("*Values that will be sent*", sent),
      ...heading("*If one of these changes, Rackbell cancels the request*", checked),
      ...heading("*More information*", others),
      ...(backupFirst
        ? [
            section(
              `:floppy_disk: *Last backup:* ${backupFirst.newest}\n*${backupFirst.label}* ${backupFirst.words}${backupRule(backupFirst)}`,
            ),
            ...chosenBackup(request).map((backup) => section(chosenWords(backup, request))),
          ]
        : []),
      ...noteBlocks(request),
      ...takeParts(request, responsibility, may).blocks,
      ...waitBlocks(responsibility, waiting),
      ...(request.state === "pending"
        ? [
            context(`${pressersWords(request)} It expires ${moment(request.expiresAt)}.`),
            ...actions([...decidingButtons(request, may), ...moreButtons(request, may)], "details"),
          ]
        : []),
    ],
  };
}

/** The facts of its message as one small line: in a list, a host name tells apart two orders of the same plan. */
export function factsLine(request: Request): Block[] {
  const { shown } = partedFacts(request, { alone: false });
  const facts = shown.map(({ label, value }) => `${label}: ${value}`);
  return packed(facts, " · ", limits.context.text).map((line) => context(line));
}

/** The protection, the rule, and notes about the place and the approvers. */
function noteBlocks({ protection, ruling: { rule, passkey }, notice, approvers }: Request): Block[] {
  return [
    protection && protectionNote(protection),
    rule && `The rule: ${rule}`,
    passkey ? passkeyNote : null,
    notice,
    approvers?.tooFew,
    ...(approvers ? [...askedApartWords(approvers), ...awayWords(approvers)] : []),
  ].flatMap((note) => (note ? [context(note)] : []));
}

interface PartedFacts {
  shown: Fact[];
  hidden: { sent: Fact[]; facts: Fact[] };
}

/**
 * The facts that the message shows: all that decide; of the others none that its sentences say, none that is long, and few. `whole`: all that
 * will be sent or compared, too.
 */
function partedFacts(request: Request, { alone, whole = false }: { alone: boolean; whole?: boolean }): PartedFacts {
  const texts = [alone ? "" : titleOf(request), lossText(request), identityLine(request)];
  const sent = unshownValues(request.review, texts);
  const known = [...factsOfPreconditions(request.review.preconditions), ...request.review.shown];
  const always = [...scheduleFact(request), ...(alone ? request.review.personal : [])];
  const shown: Fact[] = [];
  const hidden: PartedFacts["hidden"] = { sent: [], facts: [] };
  // The unknown ones come on top: they must not take the place of the host name.
  const isFull = () => shown.filter(({ decides }) => decides !== "unknown").length >= mostFacts - always.length;
  for (const fact of [...sent, ...known]) {
    const { value, decides } = fact;
    if (decides !== "unknown" && isShown(value, [...texts, ...shown.map((one) => one.value)])) continue;
    const isWhole = decides || (whole && !request.review.shown.includes(fact));
    if (isWhole || (unmarked(value).length <= mostInFact && !isFull())) shown.push(fact);
    else if (sent.includes(fact)) hidden.sent.push(fact);
    else hidden.facts.push(fact);
  }
  return { shown: [...always.slice(0, 1), ...shown, ...always.slice(1)], hidden };
}

/** Names what *Details…* has beside the message. The line about the backup names its button. */
function hiddenWords(request: Request, { sent, facts: others }: PartedFacts["hidden"]): string {
  const namesOf = (rows: Fact[]) => [...new Set(rows.map(({ label }) => `“${label}”`))];
  const buttons = [...scheduleButton(request), ...deferButton(request), ...overrideButton(request)].map(
    ({ text }) => `*${text.text.replace(/…$/, "")}*`,
  );
  const parts = [
    ...(sent.length > 0 ? [`${listing(namesOf(sent))}, which will be sent`] : []),
    ...(others.length > 0 ? [listing(namesOf(others))] : []),
    ...(buttons.length > 0 ? [listing(buttons)] : []),
  ];
  return parts.length === 0 ? "" : ` *Details* has ${parts.join("; ")}.`;
}

/** The backup that was chosen, or one line about the last one; *Details…* has the button and its price. */
function backupLine(request: Request): Block[] {
  const { backupFirst } = request;
  if (!backupFirst) return [];
  const [chosen] = chosenBackup(request);
  if (chosen) return [section(`:floppy_disk: ${chosenWords(chosen, request)}${backupRule(chosen)}`)];
  return [section(`:floppy_disk: Last backup: ${backupFirst.newest}. *${backupFirst.label}* is in *Details*.`)];
}

/** Both acts in their order. A backup that an approver chose is not the requester's to take back, so it is named. */
function chosenWords(backup: BackupFirst, request: Request): string {
  const { slackUser } = request.requester;
  const by =
    backup.chosenBy !== null && backup.chosenBy !== slackUser ? ` <@${backup.chosenBy}> chose the backup.` : "";
  return `*${backupWords(backup, request)}*${by}`;
}

function backupRule({ rule }: BackupFirst): string {
  return rule ? ` The rule for the backup: ${rule}` : "";
}

/**
 * The events that the one reader may cause: a button that Rackbell would refuse them is left out. Null: a message in a channel serves all
 * readers, so it has the buttons of all of them.
 */
type Buttons = ReadonlySet<PressEvent> | null;

/** The buttons of a pending request: at most three, and *Details…*. */
export function pendingButtons(
  request: Request,
  { take = [], may }: { take?: Button[] | undefined; may: Buttons },
): Button[] {
  const { hidden } = partedFacts(request, { alone: isForRequesterAlone(request) });
  const hasMore =
    request.mode === "peer" ||
    request.bulk !== null ||
    moreButtons(request, may).length > 0 ||
    hidden.sent.length + hidden.facts.length > 0 ||
    isCutShort(request);
  return [
    ...decidingButtons(request, may),
    ...take,
    ...(hasMore ? [button("Details…", detailsAction, request.id)] : []),
  ];
}

function decidingButtons(request: Request, may: Buttons): Button[] {
  const { id, mode, unsettled, review } = request;
  const withdraw = withdrawButton(request, may);
  const deny = allowed(may, "deny", button("Deny…", denyAction, id));
  // A member takes back a request of their own. They deny their agent's with a reason, which the agent reads.
  if (unsettled)
    return [
      ...pressButton(request, actWords(request, limits.button.text), may),
      ...(mode === "peer" && unsettled.found === "not done" ? deny : []),
      ...withdraw(plainly`Do not ${lowerFirst(review.press)}`),
    ];
  if (mode === "peer") return [...pressButton(request, "Approve…", may), ...deny, ...withdraw("Withdraw")];
  return [
    ...pressButton(request, pressWords(request), may),
    ...addButton(request, may),
    ...(request.agent === null ? withdraw(backWords(request, limits.button.text)) : deny),
  ];
}

/** The button that decides. Typing the number of targets, or the name of a protected resource, replaces Slack's confirmation dialog. */
function pressButton(request: Request, label: PlainText, may: Buttons): Button[] {
  const { bulk, ruling, repeats, protection } = request;
  const [chosen = null] = chosenBackup(request);
  // Its press takes the backup, even if the requester took that back while the presser read the question.
  const action = chosen ? backupFirstAction : repeats.length > 0 ? pressSecondAction : pressAction;
  if (bulk?.counted)
    return allowed(
      may,
      "approve",
      button(withEllipsis(label), countAction, countModalValue(request), { style: buttonStyle(request) }),
    );
  if (ruling.passkey) return allowed(may, "approve", passkeyButton(label, request, action));
  const style = buttonStyle(request);
  const value = controlValue(request);
  if (protection) return allowed(may, "approve", button(withEllipsis(label), action, value, { style }));
  return allowed(may, "approve", button(label, action, value, { style, confirm: confirmationDialog(request, chosen) }));
}

function withdrawButton({ id }: Request, may: Buttons) {
  return (label: PlainText) => allowed(may, "withdraw", button(label, withdrawAction, id));
}

function allowed(may: Buttons, event: PressEvent, one: Button): Button[] {
  return may === null || may.has(event) ? [one] : [];
}

/** The page of the passkey replaces Slack's confirmation dialog: it shows the loss and every value. */
function passkeyButton(label: PlainText, request: Request, action: keyof typeof passkeyActions): Button {
  return button(withEllipsis(label), passkeyActions[action], controlValue(request), { style: buttonStyle(request) });
}

function withEllipsis(label: PlainText): PlainText {
  return plainly`${characters(label).replace(/…$/, "")}…`;
}

/** The buttons of *Details…* alone: the backup first, another time, and the emergency override. */
function moreButtons(request: Request, may: Buttons): Button[] {
  return [
    ...(request.mode === "peer" ? addButton(request, may) : []),
    ...backupButton(request).flatMap((one) => allowed(may, "approve", one)),
    ...backupChoice(request, may),
    ...scheduleButton(request).flatMap((one) => allowed(may, "move", one)),
    ...deferButton(request).flatMap((one) => allowed(may, "defer", one)),
    ...(canNarrow(request) ? allowed(may, "narrow", button("Narrow…", narrowAction, request.id)) : []),
    ...overrideButton(request).flatMap((one) => allowed(may, "override", one)),
  ];
}

/** An act that costs money cannot be scheduled, since its price is of now. */
function scheduleButton({ id, risk, price, schedule, unsettled }: Request): Button[] {
  if (risk === "spend" || price !== null || unsettled) return [];
  return [button(schedule ? "Reschedule…" : "Schedule…", rescheduleAction, id)];
}

/** The requester alone may change what is asked, as its time. */
function addButton(request: Request, may: Buttons): Button[] {
  if (!takesMore(request) || !request.form?.add) return [];
  return allowed(may, "move", button(request.form.add, addAction, request.id));
}

/** The button that decides and takes the backup first. Once that was chosen, each deciding button does. */
function backupButton(request: Request): Button[] {
  const { mode, backupFirst, unsettled } = request;
  if (!backupFirst || unsettled || backupFirst.step === "chosen") return [];
  const label = mode === "peer" ? `Approve, ${lowerFirst(backupFirst.label)}…` : `${backupFirst.label}…`;
  if (request.ruling.passkey) return [passkeyButton(label, request, backupFirstAction)];
  const confirm = request.protection ? {} : { confirm: confirmationDialog(request, backupFirst) };
  return [button(label, backupFirstAction, controlValue(request), confirm)];
}

/** The requester's choice, where others decide: they confirm their own act with the backup or without. */
function backupChoice(request: Request, may: Buttons): Button[] {
  const { id, mode, backupFirst, requester, unsettled } = request;
  // A message in a channel has the buttons of those who decide; *Details…* is its reader's.
  if (!backupFirst || unsettled || may === null) return [];
  if (backupFirst.step !== "chosen")
    return mode === "peer" ? allowed(may, "chooseBackup", button(backupFirst.label, chooseBackupAction, id)) : [];
  if (backupFirst.chosenBy !== requester.slackUser) return [];
  return allowed(may, "leaveBackup", button(`Do not ${lowerFirst(backupFirst.label)}`, leaveBackupAction, id));
}

/** The reason, and the member who wanted it first. */
function reasonFacts({ reason, originator, review: { described } }: Request): Fact[] {
  const isDescribed = described.some(({ value }) => unmarked(value) === unmarked(code(reason, 300)));
  return [
    ...(originator ? [{ label: "Wanted by", value: `<@${originator}>, who cannot do it` }] : []),
    ...(reason && !isDescribed ? [{ label: "Why", value: prose(reason, 500) }] : []),
  ];
}

/** Slack drops private messages when it reloads. */
const reloadAdvice = " If this message disappears, `/rackbell approvals` has its buttons.";

function pressersWords({ mode, requester: { slackUser }, needed, approvals, ruling: { admin } }: Request): string {
  if (mode !== "peer") return `Only <@${slackUser}> can press.`;
  if (needed < 2 && admin) return `An admin other than <@${slackUser}> must approve, with a key of their own.`;
  if (needed < 2) return `Somebody other than <@${slackUser}> must approve, with a key of their own.`;
  const so = approvals.map(({ slackUser: by }) => `<@${by}>`);
  const far = so.length > 0 ? ` Approved by ${listing(so)}: ${so.length} of ${needed}.` : "";
  return `Two others than <@${slackUser}> must approve, each with a key of their own${admin ? ", and one of them must be an admin" : ""}.${far}`;
}
