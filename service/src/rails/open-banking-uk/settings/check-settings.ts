import { checkClient } from '../bank/client-keys.ts';
import { checkBankProfile } from './bank-profile.ts';
import type { OpenBankingSettings } from './settings.ts';

/** One sentence for each setting that cannot be used. */
export const checkSettings = ({ client, banks }: OpenBankingSettings): readonly string[] => [
  ...checkClient(client),
  ...banks.flatMap(checkBankProfile),
  ...banks
    .filter(({ isEnabled, clientId }) => isEnabled && !(clientId || client.clientId))
    .map(
      ({ id }) =>
        `banks["${id}"].clientId is missing: register there, or set client.clientId, or disable it.`,
    ),
];
