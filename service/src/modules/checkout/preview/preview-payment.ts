import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { noPence, type Pence, pence } from '#kernel/pence.ts';
import { checkRequest, type Payment, type TipChoices } from '#modules/payments/index.ts';

/** What of a merchant's settings a payer sees. */
export type PreviewSettings = {
  readonly businessName: string;
  readonly avatarUrl: string | null;
  /** An address of our own, or the picture itself. */
  readonly logoUrl: string | null;
  readonly accentColour: string | null;
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  readonly supportUrl: string | null;
  readonly cardsEnabled: boolean;
  readonly tips: Omit<TipChoices, 'tipId'> | null;
  readonly taxPercentage: number;
  readonly servicePercentage: number;
};

const noId = '00000000-0000-0000-0000-000000000000';
const openMs = 60 * 60 * 1000;
const order = { customerId: 'example', orderId: 'EXAMPLE-1042', amount: 42.5 };

/** An example of a request, just opened: its id is that of no payment. */
export const previewPayment = (tenant: Tenant, settings: PreviewSettings, now: Date): Payment => {
  const requested = checkRequest(order, tenant.environment, new Set());
  return {
    ...requested,
    tenant,
    paymentRequestId: noId,
    kind: 'CHECKOUT',
    status: 'OPEN',
    version: 1,
    parts: partsOf(settings, requested.amountPence),
    taxPercentage: settings.taxPercentage,
    servicePercentage: settings.servicePercentage,
    paidPence: noPence,
    fixedTipPence: null,
    secretId: noId,
    cardsEnabled: settings.cardsEnabled,
    expiresInMs: openMs,
    // A page without a script always offers more time, which payers with one see near the end.
    timeExtensions: limits.timeExtensions,
    expiresBusinessAt: new Date(now.getTime() + openMs),
    liveAttemptCount: 0,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
    merchant: {
      name: settings.businessName,
      categoryCode: '5999',
      completedAtSettlement: false,
      signsEveryReturn: false,
      isSuspended: false,
      avatarUrl: settings.avatarUrl,
      accentColour: settings.accentColour,
      logoUrl: settings.logoUrl,
      support: {
        email: settings.supportEmail,
        phone: settings.supportPhone,
        url: settings.supportUrl,
      },
    },
    tips: settings.tips && { ...settings.tips, tipId: noId },
    store: { id: noId, locationName: 'DEFAULT', address: '' },
    attempts: [],
    now,
    clockOffsetMs: 0,
    tipsEnabled: settings.tips !== null,
  };
};

/** MONEY-3, as the statement that writes a request computes it. */
const partsOf = ({ taxPercentage, servicePercentage }: PreviewSettings, amountPence: Pence) => {
  const whole = 100 + taxPercentage + servicePercentage;
  const share = (percentage: number): Pence =>
    pence(BigInt(Math.round((Number(amountPence) * percentage) / whole)));
  return { taxPence: share(taxPercentage), servicePence: share(servicePercentage) };
};
