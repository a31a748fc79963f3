/**
 * Rows of a test with the card number last, and its last four digits in its place: the first words of a
 * test's title, which is printed, as no card number ever is.
 */
export const nameByLastFour = <Rest extends readonly unknown[]>(
  rows: readonly (readonly [cardNumber: string, ...Rest])[],
): [name: string, ...Rest, cardNumber: string][] =>
  rows.map(([cardNumber, ...rest]) => [`****${cardNumber.slice(-4)}`, ...rest, cardNumber]);
