import type { Step } from "./answer.ts";

/**
 * The member must correct an input first. `fields` names the inputs ("target" for the target). The messages are plain text without markup:
 * Slack shows them below a form's fields as they are, and they are escaped for a message.
 */
export class InputError extends Error {
  override readonly name = "InputFault";
  readonly fields: { field: string; message: string }[];

  constructor(fields: { field: string; message: string }[] | string) {
    const list = typeof fields === "string" ? [{ field: "", message: fields }] : fields;
    super(list.map(({ message }) => message).join(" "));
    this.fields = list;
  }
}

/** The error about one input. */
export function wrongInput(field: string, message: string): InputError {
  return new InputError([{ field, message }]);
}

/**
 * The member may not do this, or not now. The message is mrkdwn with the reason and the next move; `next` are buttons that help.
 */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly next: Step[];

  constructor(message: string, next: Step[] = []) {
    super(message);
    this.next = next;
  }
}

/** The obstacle ends by itself within minutes, such as a build. A scheduled request waits for that; any other refusal ends it. */
export class NotYet extends Refusal {
  override readonly name = "NotYet";
}

/** The state of a target that a member wanted to delete and that no longer exists. */
export const goneState = "gone";

/** The target no longer exists, so no retry can succeed. `fact` says so, `aside` says that nothing was requested or sent. */
export class Gone extends Refusal {
  override readonly name: string = "Gone";
  readonly fact: string;

  constructor(fact: string, aside: string, next: Step[] = []) {
    super(`${fact} ${aside}`, next);
    this.fact = fact;
  }
}

/** The member's key lacks the scope; a colleague's key may have it. */
export class ScopeMissing extends Refusal {
  override readonly name = "ScopeMissing";
}

const targets = new WeakMap<Error, string>();

/** Notes the name of the resource that the error is about, so that its sentence can name it. Gives the same error. */
export function withTarget(error: unknown, name: string | null): unknown {
  if (error instanceof Error && name !== null) targets.set(error, name);
  return error;
}

/** The name of the resource that an error is about; null if it is about none, or nobody noted it. */
export function targetOf(error: unknown): string | null {
  return error instanceof Error ? (targets.get(error) ?? null) : null;
}
