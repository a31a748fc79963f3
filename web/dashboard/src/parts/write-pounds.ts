const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });
const whole = new Intl.NumberFormat('en-GB');

/** £1,234.50, and −£3.00 with a real minus sign. */
export const writePounds = (amount: number): string => pounds.format(amount).replace('-', '−');

export const writePoundsFromPence = (pence: number): string => writePounds(pence / 100);

/** 12,345 */
export const writeCount = (count: number): string => whole.format(count);
