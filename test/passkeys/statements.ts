import { type Assertion, digestJson, type Statement } from "../../src/process/webauthn/assertion.ts";

export const site = { origin: "https://rackbell.example", rpId: "rackbell.example" };

/** A statement of Ana's, who approves a request of her own, with what differs. */
export function statement(differs: Partial<Statement> = {}): Statement {
  const none = digestJson(null);
  return {
    random: "r",
    workspace: "T1",
    ...site,
    at: 0,
    member: "T1:U1",
    decision: "confirm",
    entries: ["approved", "approved in part"],
    request: "r1",
    version: 1,
    requester: "T1:U1",
    keyLabel: "key",
    command: "vps cancel",
    target: null,
    agent: null,
    reason: "",
    scheduledFor: null,
    outcome: null,
    passkeys: [],
    digests: { input: none, loss: none, price: none, preconditions: none, rule: none, page: none },
    ...differs,
  };
}

/** An assertion that no device made. */
export function unsigned(credential: string, differs: Partial<Statement> = {}): Assertion {
  return { statement: statement(differs), credential, authenticatorData: "", clientData: "", signature: "" };
}
