import type { Answer, Reconciled, Step } from "../../operation/answer.ts";
import type { ApiOperation, BoundCalls, Operation, PlatformOperation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import type { Entry, IndexedKind } from "../../operation/target.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { oncePer } from "../../process/once-per.ts";
import type { Session } from "./access.ts";
import type { NameIndex } from "./name-index.ts";

/**
 * Adds to the calls of an operation: after a write, the name index gets each resource to which the answer has a button, and the target
 * that the write may have renamed. A member types the name that the app just showed to them; a large list is read too rarely to have it.
 */
export function indexingWrites<A extends ApiName>(
  { nameIndex, registry }: { nameIndex: NameIndex; registry: Registry },
  operation: ApiOperation<A>,
  session: Session<A>,
  calls: BoundCalls,
): BoundCalls {
  if (operation.risk === "read") return calls;

  function addNew(kind: IndexedKind<A>, id: string): void {
    const { entries } = nameIndex.known(session, kind.among?.kind ?? kind);
    if (!idsOf(entries).has(id)) nameIndex.add(session, kind, id, () => kind.look(session.client, id));
  }

  function addTargets(next: readonly Step[] = []): void {
    for (const { command, target } of next) {
      const other = registry.find(command);
      if (target !== undefined && other && isOf(operation.api, other) && other.target) addNew(other.target, target);
    }
  }

  async function indexed<R extends Pick<Answer | Reconciled, "next">>(call: Promise<R>): Promise<R> {
    try {
      const result = await call;
      addTargets(result.next);
      return result;
    } finally {
      // After a lost answer, too: the resource may be there.
      await nameIndex.wrote(session);
    }
  }

  return {
    ...calls,
    async begin(call) {
      const act = await calls.begin(call);
      return {
        ...act,
        async run(before) {
          const answer = await indexed(act.run(before));
          const { target } = operation;
          const id = act.target?.id;
          if (operation.renames && target && id)
            nameIndex.add(session, target, id, () => target.look(session.client, id));
          return answer;
        },
        reconcile: (...was) => indexed(act.reconcile(...was)),
      };
    },
    async poll(call, handle) {
      const progress = await calls.poll(call, handle);
      addTargets(progress.next);
      if (progress.state !== "working") await nameIndex.wrote(session);
      return progress;
    },
  };
}

/** A search for each step of each answer took a twentieth of a command with 4,000 machines. */
const idsOf = oncePer((entries: readonly Entry[]) => new Set(entries.map(({ id }) => id)));

function isOf<A extends ApiName>(api: A, operation: Operation): operation is ApiOperation<A> & PlatformOperation {
  return operation.api === api;
}
