/**
 * The public test numbers that the sandbox accepts, and that developers type into every field. Not
 * all of them pass the check digit, so they are listed. Never a real number.
 */
export const testCardNumbers: readonly string[] = [
  // The catalogue of existing clients (CARD-16).
  '4242424242424242',
  '5555555555554444',
  '4000000000000127',
  '5555555555550127',
  '4000000000000002',
  '4000000000000143',
  '4000000000000069',
  '4000000000000101',
  // One of each brand and funding.
  '4000056655665556',
  '5200828282828210',
  '5105105105105100',
  '378282246310005',
  '6011111111111117',
  '3566002020360505',
  '30569309025904',
  // Declined.
  '4000000000009995',
  '4000000000009987',
  '4000000000009979',
  '4000000000000119',
  '4242424242424241',
  '4000000000000341',
  '4544249167673670',
  '4724117215951699',
  '4897453568485113',
  '4095254802642505',
  // Authentication.
  '4000002500003155',
  '4000002760003184',
  '4000003800000446',
  '4000008260003178',
  '4000000000003220',
  '4000008400001629',
  '4000008400001280',
  '4000000000003055',
  '4000000000003097',
  '4000000000002701',
  '5200000000002235',
  '4000000000002925',
  '4000000000002719',
  '4000000000002313',
  '4000000000002537',
  '4000000000002404',
  '4000000000002354',
  '4000000000002503',
  '4000000000002370',
  // Disputes and refunds.
  '4000000000000259',
  '4000000000002685',
  '4000000000001976',
  '4000000000007726',
  '4000000000005126',
  // Company cards.
  '4111111111111111',
  '4988080000000000',
  '4131840000000003',
];

const known: ReadonlySet<string> = new Set(testCardNumbers);
const prefixes: ReadonlySet<string> = new Set(testCardNumbers.map((each) => each.slice(0, 4)));
const lengths = [...new Set(testCardNumbers.map((each) => each.length))].sort();

export const isTestCardNumber = (digits: string): boolean => known.has(digits);

/** The length of the test number that starts at this digit; 0 for none. */
export const testCardNumberAt = (digits: string, at: number): number =>
  prefixes.has(digits.slice(at, at + 4))
    ? (lengths.find((length) => known.has(digits.slice(at, at + length))) ?? 0)
    : 0;
