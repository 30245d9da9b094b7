import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { send } from "./api.js";
import { useAsk } from "./confirm.js";
import { keyOf, useValues } from "./values.js";

/** The surface that a block's elements act on: a message, an open view or the Home tab. */
export const Surface = createContext(undefined);

export function useSurface() {
  return useContext(Surface);
}

/**
 * @param where the place of the action, for the app (the page's API)
 * @param memory an object that stores the values while the surface is out of sight
 * @param report shows a sentence when the app does not answer
 */
export function useNewSurface({ as, where, blocks, memory, report, errors = {} }) {
  const ask = useAsk();
  const values = useValues(blocks, memory);
  const [pending, setPending] = useState([]);

  /** The fields of every request about an element; the state goes along for the inputs around it. */
  function use(block, element) {
    return { as, where, block_id: block.block_id, action_id: element.action_id, state: values.state() };
  }

  async function dispatch(block, element, details) {
    const key = keyOf(block, element);
    setPending((keys) => [...keys, key]);
    const answer = await send("/page/action", { ...use(block, element), ...details });
    setPending((keys) => keys.filter((one) => one !== key));
    report(answer.ok ? undefined : answer.error);
  }

  return {
    errors,
    valueOf: values.of,
    change: values.change,
    state: values.state,
    isPending: (block, element) => pending.includes(keyOf(block, element)),

    /** A press: asks first when the element has a confirm dialog. */
    async act(block, element, details) {
      if (element.confirm && !(await ask(element.confirm))) return;
      await dispatch(block, element, details);
    },

    /** A choice: stored, and sent to the app unless the form submits it later. */
    async choose(block, element, value) {
      const isSent = block.type !== "input" || block.dispatch_action;
      if (isSent && element.confirm && !(await ask(element.confirm))) return;
      values.change(block, element, value);
      if (isSent) await dispatch(block, element, value);
    },

    suggest: (block, element, query) => send("/page/suggest", { ...use(block, element), value: query }),
  };
}
