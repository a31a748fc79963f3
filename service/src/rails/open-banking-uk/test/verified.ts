type Kind = { readonly kind: string };

/** The outcome, if it is the expected one. */
export const verified = <Outcome extends Kind, Wanted extends Outcome['kind']>(
  outcome: Outcome,
  kind: Wanted,
): Extract<Outcome, { readonly kind: Wanted }> => {
  if (outcome.kind !== kind) throw new Error(`expected ${kind}: ${JSON.stringify(outcome)}`);
  return outcome as Extract<Outcome, { readonly kind: Wanted }>;
};
