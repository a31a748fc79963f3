import type { Lifecycle } from '../../service/src/kernel/lifecycle.ts';

/** Every state with every trigger, listed or not. */
export const listLifecyclePairs = <State extends string, Trigger extends string>(
  table: Lifecycle<State, Trigger>,
): (readonly [State, Trigger])[] => {
  const triggers = [...new Set(table.edges.map(({ trigger }) => trigger))];
  return table.states.flatMap((state) => triggers.map((trigger) => [state, trigger] as const));
};
