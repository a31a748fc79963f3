/**
 * A named prepared statement. Its text names its values (`:merchantId`); they become `$1…` once,
 * when the program starts, so that fragments of several modules compose by plain concatenation.
 */
export type Statement<Values, Row> = {
  readonly name: string;
  readonly text: string;
  readonly valueNames: readonly (keyof Values & string)[];
  readonly row?: Row;
  /** Optional filters make one plan for all values a bad one. */
  readonly isPlannedAnew?: boolean;
  /** Proofs: whole tables are what it is about. Across merchants, others are kept from that. */
  readonly readsWholeTables?: boolean;
};

/** Sees the rows of one merchant only. */
export type TenantQuery = <Values, Row>(
  merchantId: string,
  asked: Statement<Values, Row>,
  values: Values,
) => Promise<Row[]>;

const valuePattern = /(?<![:\w]):([a-z]\w*)/g;

export const statement = <Values, Row>(
  name: string,
  text: string,
  options: Pick<Statement<Values, Row>, 'isPlannedAnew' | 'readsWholeTables'> = {},
): Statement<Values, Row> => {
  const valueNames: string[] = [];
  const numbered = text.replace(valuePattern, (_, valueName: string) => {
    const known = valueNames.indexOf(valueName);
    if (known >= 0) return `$${known + 1}`;
    valueNames.push(valueName);
    return `$${valueNames.length}`;
  });
  return {
    name,
    text: numbered,
    valueNames: valueNames as (keyof Values & string)[],
    isPlannedAnew: options.isPlannedAnew ?? false,
    readsWholeTables: options.readsWholeTables ?? false,
  };
};
