export type Phone = { readonly phoneCountryCode?: string; readonly phoneNumber?: string };

type SentPhone = {
  readonly phoneCountryCode?: string | null | undefined;
  readonly phoneNumber?: string | null | undefined;
};

const maxCodeDigits = 5;
const maxNumberDigits = 15;
/** A number without its country code and its leading zero has at most as many digits. */
const maxNationalDigits = 10;
const ownCountryCode = '44';

/**
 * A telephone number in digits: the country code without + and zeros, the number without either. What
 * cannot be a telephone number is left out, because it is never a reason to refuse a payment.
 */
export const normalisePhone = (sent: SentPhone): Phone => {
  const code = digits(sent.phoneCountryCode ?? '').replace(/^0+/, '');
  const written = (sent.phoneNumber ?? '').replace(/\(0\)/, '').trim();
  const isInternational = /^[\s(]*(\+|00)/.test(written);
  const number = digits(written).replace(/^0+/, '');
  if (code === '' && isInternational && number.startsWith(ownCountryCode))
    return phone(ownCountryCode, number.slice(ownCountryCode.length));
  const repeatsCode =
    code !== '' &&
    number.startsWith(code) &&
    (isInternational || number.length > maxNationalDigits);
  return phone(code, repeatsCode ? number.slice(code.length) : number);
};

const phone = (code: string, number: string): Phone => ({
  ...(code !== '' && code.length <= maxCodeDigits ? { phoneCountryCode: code } : {}),
  ...(number !== '' && number.length <= maxNumberDigits
    ? { phoneNumber: number.replace(/^0+/, '') }
    : {}),
});

const digits = (text: string): string => text.replace(/\D/g, '');
