import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '#simulator/trust/credentials.ts';
import type { CardRandom, CardSecrets } from './ports.ts';

// Created at the first start and stored: a restart is not a new account.
export const openCardSecrets = async (trustFolder: string): Promise<CardSecrets> => {
  const path = join(trustFolder, 'private', 'cards.json');
  const stored = await readIfThere(path);
  if (stored !== undefined) return JSON.parse(stored) as CardSecrets;
  const secrets: CardSecrets = {
    secretKey: `sk_test_${cardRandom.text(48)}`,
    webhookSecret: `whsec_${randomBytes(32).toString('hex')}`,
    fingerprintSecret: randomBytes(32).toString('hex'),
  };
  await writePrivateFile(path, JSON.stringify(secrets));
  return secrets;
};

const readIfThere = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const cardRandom: CardRandom = {
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
