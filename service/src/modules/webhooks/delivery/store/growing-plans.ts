import type { Statement } from '#platform/database/statement.ts';

const firstRows = 256;

/**
 * A statement keeps one plan, and one made over a nearly empty table reads all of a full one. So it
 * gets a new name, and with it a new plan, each time twice as many rows have passed.
 */
export const growingPlans = () => {
  const made = new Map<string, Statement<never, never>>();
  let rows = 0;
  return {
    count: (more: number): void => {
      rows += more;
    },
    of: <Values, Row>(base: Statement<Values, Row>): Statement<Values, Row> => {
      const generation = Math.max(0, Math.floor(Math.log2(rows / firstRows)));
      const name = `${base.name}_${generation}`;
      const known = made.get(name) as Statement<Values, Row> | undefined;
      if (known) return known;
      const grown = { ...base, name };
      made.set(name, grown as never);
      return grown;
    },
  };
};

export type GrowingPlans = ReturnType<typeof growingPlans>;
