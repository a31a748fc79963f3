import { standardTemplate } from './bank-template.ts';
import type { HttpChannelSettings, Iso20022Settings } from './settings.ts';

type Registration = { readonly transfers?: { readonly url: string; readonly secret: string } };

/** From the text of a simulator's registration; null when it has no transfer hub. */
export const transferSettings = (
  text: string,
  { sortCode, accountNumber }: HttpChannelSettings['account'],
): Iso20022Settings | null => {
  const { transfers } = JSON.parse(text) as Registration;
  if (!transfers) return null;
  const { url, secret } = transfers;
  const account = { sortCode, accountNumber };
  return { template: standardTemplate, channel: { kind: 'HTTP', url, secret, account } };
};
