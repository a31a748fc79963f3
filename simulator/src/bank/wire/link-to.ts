import type { Call } from './payment-operations.ts';

export const linkTo = (
  { bank, paymentsUrl }: Pick<Call, 'bank' | 'paymentsUrl'>,
  path: string,
): string => `${paymentsUrl}${bank.profile.wire.doublesSlashInLinks ? '/' : ''}${path}`;
