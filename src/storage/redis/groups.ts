/** In one call to Redis, which does nothing else meanwhile. */
const mostInGroup = 100;

/**
 * Has what is asked for in one turn go out as one call: to a busy Redis a call costs more than what it asks for. `send` resolves with the
 * answers, in order.
 */
export function grouped<T, R>(send: (asked: T[]) => Promise<R[]>): (one: T) => Promise<R> {
  let group: { asked: T[]; answers: PromiseWithResolvers<R>[] } | undefined;

  async function leave({ asked, answers }: NonNullable<typeof group>): Promise<void> {
    group = undefined;
    try {
      for (const [at, answer] of (await send(asked)).entries()) answers[at]?.resolve(answer);
    } catch (error) {
      for (const { reject } of answers) reject(error);
    }
  }

  return (one) => {
    if (!group || group.asked.length >= mostInGroup) {
      const own: NonNullable<typeof group> = { asked: [], answers: [] };
      group = own;
      queueMicrotask(() => void leave(own));
    }
    const answer = Promise.withResolvers<R>();
    group.asked.push(one);
    group.answers.push(answer);
    return answer.promise;
  };
}
