import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StripeSettings } from './settings.ts';

type Registration = {
  readonly cards?: Pick<StripeSettings, 'secretKey' | 'webhookSecret'> & {
    readonly apiUrl: string;
  };
};

/** The sandbox's account at the simulated processor; null when the simulator has no cards. */
export const readCardRegistration = async (folder: string): Promise<StripeSettings | null> => {
  const text = await readFile(join(folder, 'registration.json'), 'utf8');
  const { cards } = JSON.parse(text) as Registration;
  if (!cards) return null;
  const { apiUrl, secretKey, webhookSecret } = cards;
  return { environment: 'SANDBOX', apiUrl, secretKey, webhookSecret };
};
