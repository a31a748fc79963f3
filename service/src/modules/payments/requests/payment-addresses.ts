const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const characters = 17;
const bitsPerCharacter = 6n;
const randomBits = 122n;
const usedBits = bitsPerCharacter * BigInt(characters);
const droppedBits = randomBits - usedBits;

/**
 * The first 102 of the 122 random bits of an id, in 17 characters. Nothing is stored for a short
 * link: the ids with these bits are a range of the directory, and only one of them exists.
 */
export const shortCode = (paymentRequestId: string): string => {
  let rest = randomOf(paymentRequestId) >> droppedBits;
  let code = '';
  for (let at = 0; at < characters; at += 1) {
    code = alphabet.charAt(Number(rest & 63n)) + code;
    rest >>= bitsPerCharacter;
  }
  return code;
};

/** The first and the last id of a code; null when it is none. */
export const idsOfShortCode = (
  code: string,
): { readonly first: string; readonly last: string } | null => {
  if (code.length !== characters) return null;
  let bits = 0n;
  for (const character of code) {
    const value = alphabet.indexOf(character);
    if (value < 0) return null;
    bits = (bits << bitsPerCharacter) | BigInt(value);
  }
  const first = bits << droppedBits;
  return { first: idOf(first), last: idOf(first | ((1n << droppedBits) - 1n)) };
};

// A random id: 48 bits, the version, 12 bits, the variant in two bits, 62 bits.
const randomOf = (id: string): bigint => {
  const all = BigInt(`0x${id.replaceAll('-', '')}`);
  const head = all >> 80n;
  const middle = (all >> 64n) & 0xfffn;
  const tail = all & ((1n << 62n) - 1n);
  return (head << 74n) | (middle << 62n) | tail;
};

const idOf = (random: bigint): string => {
  const head = random >> 74n;
  const middle = (random >> 62n) & 0xfffn;
  const tail = random & ((1n << 62n) - 1n);
  const all = (head << 80n) | (4n << 76n) | (middle << 64n) | (2n << 62n) | tail;
  const hex = all.toString(16).padStart(32, '0');
  return [0, 8, 12, 16, 20]
    .map((from, at, starts) => hex.slice(from, starts[at + 1] ?? 32))
    .join('-');
};

/** Addresses of a payment request. They never expire and follow the payment. */
export const paymentAddresses = (
  publicUrl: string,
  paymentRequestId: string,
  template: string | null,
) => ({
  qrCodeUrl: `${publicUrl}/payment-qr-codes/${paymentRequestId}.svg`,
  qrCodeUrlPng: `${publicUrl}/payment-qr-codes/${paymentRequestId}.png`,
  ...(template ? { templateUrl: templateUrl(publicUrl, paymentRequestId, template) } : {}),
  paymentUrl: paymentUrl(publicUrl, paymentRequestId),
  shortUrl: `${publicUrl}/p/${shortCode(paymentRequestId)}`,
  paymentRequestId,
});

export const paymentUrl = (publicUrl: string, paymentRequestId: string): string =>
  `${publicUrl}/pay?paymentRequestId=${paymentRequestId}&source=EXTERNAL_MERCHANT`;

// Existing clients look for these names in the address.
const templateFolders: Readonly<Record<string, string>> = {
  EXTERNAL_DISPLAY: 'external-display_payment-qr-codes/:id.svg',
  EXTERNAL_DISPLAY_PNG: 'external-display-png_payment-qr-codes/:id.png',
  RECEIPT: 'receipt-payment-qr-codes/:id.svg',
  RECEIPT_PNG: 'receipt-payment-qr-codes/:id.png',
};

const templateUrl = (publicUrl: string, paymentRequestId: string, template: string): string =>
  `${publicUrl}/${(templateFolders[template] ?? '').replace(':id', paymentRequestId)}`;
