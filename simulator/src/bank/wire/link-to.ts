import type { PaymentCall } from './payment-call.ts';

export const linkTo = (
  { bank, paymentsUrl }: Pick<PaymentCall, 'bank' | 'paymentsUrl'>,
  path: string,
): string => `${paymentsUrl}${bank.profile.wire.doublesSlashInLinks ? '/' : ''}${path}`;
