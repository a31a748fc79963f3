export type Lifecycle<State extends string, Trigger extends string> = {
  readonly name: string;
  readonly states: readonly State[];
  readonly initial: State;
  /** Other states in which a subject may begin. */
  readonly alsoStartsAt: readonly State[];
  readonly edges: readonly Edge<State, Trigger>[];
  /** The next state, or null when the table has no such edge. */
  readonly next: (from: State, trigger: Trigger) => State | null;
  readonly isFinal: (state: State) => boolean;
};

export const lifecycle = <const State extends string, const Trigger extends string>(table: {
  readonly name: string;
  readonly initial: NoInfer<State>;
  readonly alsoStartsAt?: readonly NoInfer<State>[];
  readonly states: readonly State[];
  readonly edges: readonly Edge<NoInfer<State>, Trigger>[];
}): Lifecycle<State, Trigger> => {
  const byStep = new Map(table.edges.map((edge) => [`${edge.from} ${edge.trigger}`, edge.to]));
  if (byStep.size !== table.edges.length) throw new Error(`${table.name}: an edge stands twice`);
  const left = new Set<State>(table.edges.map((edge) => edge.from));
  return {
    ...table,
    alsoStartsAt: table.alsoStartsAt ?? [],
    next: (from, trigger) => byStep.get(`${from} ${trigger}`) ?? null,
    isFinal: (state) => !left.has(state),
  };
};

/** A lifecycle is a table: which trigger leads from which state to which. */
export type Edge<State extends string, Trigger extends string> = {
  readonly from: State;
  readonly trigger: Trigger;
  readonly to: State;
};
