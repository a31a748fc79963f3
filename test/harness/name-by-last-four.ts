/**
 * Moves the card number of each row to the end and puts its last four digits first: the title of a
 * test is printed, and must not hold a card number.
 */
export const nameByLastFour = <Rest extends readonly unknown[]>(
  rows: readonly (readonly [cardNumber: string, ...Rest])[],
): [name: string, ...Rest, cardNumber: string][] =>
  rows.map(([cardNumber, ...rest]) => [`****${cardNumber.slice(-4)}`, ...rest, cardNumber]);
