import { createHash, randomBytes } from 'node:crypto';
import { keepSecret } from '#simulator/trust/credentials.ts';
import type { CardSecrets, CardTools } from './ports.ts';

export const openCardSecrets = async (trustFolder: string): Promise<CardSecrets> => {
  const make = (): string =>
    JSON.stringify({
      secretKey: `sk_test_${cardRandom.text(48)}`,
      webhookSecret: `whsec_${randomBytes(32).toString('hex')}`,
      fingerprintSecret: randomBytes(32).toString('hex'),
    } satisfies KeptSecrets);
  const kept = JSON.parse(await keepSecret(trustFolder, 'cards.json', make)) as KeptSecrets;
  return { ...kept, publishableKey: publishableKeyFor(kept) };
};

type KeptSecrets = Omit<CardSecrets, 'publishableKey'>;

const publishableKeyFor = ({ secretKey }: KeptSecrets): string =>
  `pk_test_${createHash('sha256').update(secretKey).digest('hex').slice(0, 48)}`;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const cardRandom: CardTools['random'] = {
  text: (length) => pick(letters, length),
  digits: (length) => pick('0123456789', length),
};

// Bytes beyond the last whole round of the alphabet are dropped, so that every character is equally
// likely.
const pick = (alphabet: string, length: number): string => {
  const whole = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < whole && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
};
