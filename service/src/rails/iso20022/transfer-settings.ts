import { standardTemplate } from './bank-template.ts';
import type { HttpChannelSettings, Iso20022Settings } from './settings.ts';

type Registration = {
  readonly transfers?: {
    readonly url: string;
    readonly secret: string;
    readonly noticeSecret?: string;
  };
};

/** From the text of a simulator's registration; null when it has no transfer hub. */
export const transferSettings = (
  text: string,
  { sortCode, accountNumber }: HttpChannelSettings['account'],
): Iso20022Settings | null => {
  const { transfers } = JSON.parse(text) as Registration;
  if (!transfers) return null;
  const { url, secret, noticeSecret = null } = transfers;
  const account = { sortCode, accountNumber };
  const channel = { kind: 'HTTP', url, secret, noticeSecret, account } as const;
  return { template: standardTemplate, channel };
};
