import type { Step } from "./answer.ts";

/** What a member must put right before anything can be done; `fields` are the inputs concerned ("target" for the target). */
export class InputError extends Error {
  override readonly name = "InputFault";
  readonly fields: { field: string; message: string }[];

  constructor(fields: { field: string; message: string }[] | string) {
    const list = typeof fields === "string" ? [{ field: "", message: fields }] : fields;
    super(list.map(({ message }) => message).join(" "));
    this.fields = list;
  }
}

/** The member may not do this, or not now: mrkdwn that says why and what to do, and the steps that help. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly next: Step[];

  constructor(message: string, next: Step[] = []) {
    super(message);
    this.next = next;
  }
}

/** The member's key lacks the scope: somebody else's may have it. */
export class ScopeMissing extends Refusal {
  override readonly name = "ScopeMissing";
}
