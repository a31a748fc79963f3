/** One value that changes beside the pages, and tells who looks at it. */
export const openSignal = <Value>(first: Value) => {
  const listeners = new Set<() => void>();
  let value = first;
  return {
    read: (): Value => value,
    write: (next: Value): void => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    listen: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

export type Signal<Value> = Pick<ReturnType<typeof openSignal<Value>>, 'read' | 'listen'>;
