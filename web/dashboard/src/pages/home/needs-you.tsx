import { listPayoutMatches, searchTransactions } from '@florin/contract';
import {
  listDisputes,
  listMerchantRefunds,
  listRefundApprovals,
  listWebhookHealth,
} from '@florin/contract/dashboard/index.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { useIsNarrow } from '../../parts/filter-bar.tsx';
import { countOf, writeCount, writePounds } from '../../parts/numbers.ts';
import { dayOf, daysUpTo, now, writeSpell } from '../../parts/times.ts';
import classes from './needs-you.module.css';

const lookEveryMs = 30_000;
const shownMax = 5;

type Need = {
  readonly key: string;
  readonly says: ReactNode;
  /** Below the merchant and environment. */
  readonly path: string;
  readonly search?: Readonly<Record<string, string>>;
  /** Within a day. */
  readonly isUrgent?: boolean;
  /** Whichever store is chosen. */
  readonly isOfAll?: boolean;
};

type NeedsYouProps = {
  /** Undefined: not known yet. */
  readonly today: string | undefined;
  /** Of which the figures beside it are. */
  readonly storeId: string | undefined;
};

/** What only a person of the business can settle, the most pressing first. */
export const NeedsYou = ({ today, storeId }: NeedsYouProps): ReactNode => {
  const address = useAddress();
  const isNarrow = useIsNarrow();
  const needs = [
    useDisputes(storeId),
    useApprovals(),
    useFailingEndpoints(),
    useStuck(today, storeId),
    useFailedRefunds(today, storeId),
    useMissing(),
  ];
  const isBusy = needs.includes(null);
  const all = isBusy ? [] : needs.flatMap((some) => some ?? []);
  const listOf = (some: readonly Need[]) => (
    <ul className={`card ${classes.needs}`}>
      {some.map(({ key, says, path, search = {}, isUrgent, isOfAll }) => (
        <li key={key} data-tone={isUrgent ? 'bad' : 'warn'}>
          <Link to={address(path)} search={search as never}>
            <Icon name="warning" />
            <span>
              {says}
              {isOfAll && storeId && <span className="soft"> · all stores</span>}
            </span>
            <Icon name="chevronRight" size={16} />
          </Link>
        </li>
      ))}
    </ul>
  );
  // A phone has room for the most pressing one.
  const shown = isNarrow ? all.slice(0, 1) : all;
  const more = all.slice(shown.length);
  return (
    <section aria-label="Needs your attention" className={classes.section}>
      <h2>Needs your attention</h2>
      {all.length === 0 && (
        <p className={`card soft ${classes.none}`} aria-busy={isBusy}>
          {isBusy ? '\u00a0' : 'Nothing right now.'}
        </p>
      )}
      {all.length > 0 && listOf(shown)}
      {more.length > 0 && (
        <details>
          <summary>{writeCount(more.length)} more</summary>
          {listOf(more)}
        </details>
      )}
    </section>
  );
};

const Order = ({ id }: { readonly id: string }): ReactNode => (
  <span className="together">({id})</span>
);

const ofAll = { isOfAll: true } as const;

const options = (enabled: boolean) => ({ enabled, refetchEveryMs: lookEveryMs });

/** Null while it loads. Without the permission, or when it cannot be read, there is nothing to say. */
type Needs = readonly Need[] | null;

const useDisputes = (storeId: string | undefined): Needs => {
  const query = { status: 'OPEN', limit: shownMax, storeId } as const;
  const { data, isLoading } = useOperation(listDisputes, { query }, options(true));
  if (isLoading) return null;
  return (data?.data ?? []).flatMap(({ paymentRequestId, orderId, paidAmount, disputes }) => {
    const open = disputes.find(({ status, answer }) => status === 'OPEN' && answer === 'DRAFT');
    if (!open) return [];
    const left = open.respondBy ? leftUntil(open.respondBy) : '';
    return {
      key: paymentRequestId,
      says: (
        <>
          {writePounds(paidAmount)} disputed <Order id={orderId} />
          {left}
        </>
      ),
      path: `disputes/${paymentRequestId}/${open.reference}`,
      isUrgent: open.respondBy !== null && new Date(open.respondBy) < inADay(),
    };
  });
};

/** ": 59 minutes left" */
const leftUntil = (by: string): string => {
  const until = new Date(by);
  return until > now() ? `: ${writeSpell(now(), until)} left` : ': too late to answer';
};

const inADay = (): Date => new Date(now().getTime() + 86_400_000);

const useApprovals = (): Needs => {
  const mayDecide = useMay('payments.refund');
  const query = { status: 'WAITING' } as const;
  const read = useOperation(listRefundApprovals, { query }, options(mayDecide));
  if (read.isLoading) return null;
  const waiting = (read.data?.data ?? []).filter(({ isOwn }) => !isOwn);
  if (waiting.length > shownMax)
    return [
      {
        ...ofAll,
        key: 'approvals',
        says: 'Refunds are waiting for your approval',
        path: 'refunds',
      },
    ];
  return waiting.map(({ approvalId, amount, orderId, proposedBy }) => ({
    key: approvalId,
    says: (
      <>
        {proposedBy} asks to refund {writePounds(amount)} <Order id={orderId} />
      </>
    ),
    path: 'refunds',
    ...ofAll,
  }));
};

const useFailingEndpoints = (): Needs => {
  const mayRead = useMay('webhooks.read');
  const read = useOperation(listWebhookHealth, { query: { hours: 24 } }, options(mayRead));
  if (read.isLoading) return null;
  return (read.data?.data ?? [])
    .filter(({ health, status }) => health === 'FAILING' || status === 'PAUSED')
    .map(({ endpointId, url, status }) => ({
      key: endpointId,
      says: `Webhook endpoint ${new URL(url).host} ${
        status === 'PAUSED' ? 'is paused: no events are sent to it' : 'fails'
      }`,
      path: `developers/webhooks/${endpointId}`,
      ...ofAll,
    }));
};

/** A bank that does not say for a day what became of a payment. */
const useStuck = (today: string | undefined, storeId: string | undefined): Needs => {
  const mayRead = useMay('payments.read');
  const { from: yesterday } = daysUpTo(2, today ?? dayOf(now()));
  const search = { status: 'PENDING', to: yesterday, ...(storeId && { store: storeId }) };
  const storeIds = storeId ? [storeId] : undefined;
  const body = { status: ['PENDING' as const], toDate: yesterday, storeIds };
  const read = useOperation(
    searchTransactions,
    { query: { page: 0, size: 1 }, body },
    options(mayRead && today !== undefined),
  );
  if (read.isLoading || today === undefined) return null;
  const count = read.data?.totalCount ?? 0;
  if (count === 0) return [];
  const says = count === 1 ? '1 payment has' : `${count} payments have`;
  return [
    {
      ...{ key: 'pending', says: `${says} been pending for more than a day` },
      ...{ path: 'payments', search },
    },
  ];
};

const failedWithinDays = 30;

/** Customers who may be without their money. */
const useFailedRefunds = (today: string | undefined, storeId: string | undefined): Needs => {
  const mayRead = useMay('payments.read');
  const { from } = daysUpTo(failedWithinDays, today ?? dayOf(now()));
  const search = { status: 'FAILED', from, ...(storeId && { storeId }) } as const;
  const query = { ...search, limit: 1, totals: true };
  const read = useOperation(
    listMerchantRefunds,
    { query },
    options(mayRead && today !== undefined),
  );
  if (read.isLoading || today === undefined) return null;
  const { count = 0, amount = 0 } = read.data?.totals ?? {};
  if (count === 0) return [];
  const refunds = `${countOf(count, 'refund')} of ${writePounds(amount)}`;
  const says = `${refunds} failed in the last ${failedWithinDays} days`;
  return [{ key: 'refunds', says, path: 'refunds', search }];
};

/** Payouts that a connected account does not show as they were sent. */
const useMissing = (): Needs => {
  const mayRead = useMay('payouts.read');
  const of = (match: 'MISSING' | 'DIFFERENT') => ({ query: { page: 0, limit: shownMax, match } });
  const missing = useOperation(listPayoutMatches, of('MISSING'), options(mayRead));
  const different = useOperation(listPayoutMatches, of('DIFFERENT'), options(mayRead));
  if (missing.isLoading || different.isLoading) return null;
  return [...(missing.data?.data ?? []), ...(different.data?.data ?? [])].map(
    ({ payoutId, reference, amount, match }) => ({
      key: payoutId,
      says:
        match === 'MISSING'
          ? `Payout ${reference} of ${writePounds(Number(amount))} has not reached your account`
          : `Your account shows a different amount from ${writePounds(Number(amount))} of ${reference}`,
      path: `payouts/${payoutId}`,
      ...ofAll,
    }),
  );
};
