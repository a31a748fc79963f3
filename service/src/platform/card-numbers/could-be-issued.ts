type Scheme = { readonly begins: RegExp; readonly lengths: readonly number[] };

// Lengths that are issued, not those that a scheme once reserved: fifteen digits with a good check
// digit are a telephone's IMEI far more often, and nineteen a SIM's.
const schemes: readonly Scheme[] = [
  { begins: /^4/, lengths: [13, 16, 19] },
  { begins: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { begins: /^3[47]/, lengths: [15] },
  { begins: /^3(?:0[0-59]|[689])/, lengths: [14, 16] },
  { begins: /^35(?:2[89]|[3-8])/, lengths: [16, 19] },
  { begins: /^(?:5[06-8]|6)/, lengths: [16, 17, 18, 19] },
  { begins: /^(?:220[0-4]|81|9792)/, lengths: [16, 17, 18, 19] },
];

/** A number that a scheme could have issued: its beginning, its length and its check digit agree. */
export const couldBeIssued = (digits: string): boolean =>
  schemes.some((each) => each.lengths.includes(digits.length) && each.begins.test(digits)) &&
  hasCheckDigit(digits);

const codeOfZero = 48;

/** Luhn: every second digit from the right counts twice. */
const hasCheckDigit = (digits: string): boolean => {
  let sum = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - fromRight) - codeOfZero;
    const counted = fromRight % 2 === 1 ? digit * 2 : digit;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
};
