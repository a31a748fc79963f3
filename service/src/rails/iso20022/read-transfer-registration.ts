import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { standardTemplate } from './bank-template.ts';
import type { HttpChannelSettings, Iso20022Settings } from './settings.ts';

type Registration = { readonly transfers?: { readonly url: string; readonly secret: string } };

/** The sandbox's way to the simulated bank; null where the simulator has no transfer hub. */
export const readTransferRegistration = async (
  folder: string,
  account: HttpChannelSettings['account'],
): Promise<Iso20022Settings | null> => {
  const text = await readFile(join(folder, 'registration.json'), 'utf8');
  const { transfers } = JSON.parse(text) as Registration;
  if (!transfers) return null;
  const { url, secret } = transfers;
  return { template: standardTemplate, channel: { kind: 'HTTP', url, secret, account } };
};
