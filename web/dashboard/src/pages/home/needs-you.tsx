import { listPayoutMatches, searchTransactions } from '@florin/contract';
import {
  listDisputes,
  listRefundApprovals,
  listWebhookHealth,
} from '@florin/contract/dashboard/index.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { daysUpTo, now, writeAge } from '../../parts/times.ts';
import classes from './needs-you.module.css';

const lookEveryMs = 30_000;
const shownMax = 5;

type Need = {
  readonly key: string;
  readonly says: string;
  /** Below the merchant and environment. */
  readonly path: string;
  readonly search?: Readonly<Record<string, string>>;
};

/** What only a person of the business can settle, the most pressing first. */
export const NeedsYou = ({ today }: { readonly today: string }): ReactNode => {
  const address = useAddress();
  const needs = [
    useDisputes(),
    useApprovals(),
    useFailingEndpoints(),
    useStuck(today),
    useMissing(),
  ];
  if (needs.includes(null)) return null;
  const all = needs.flatMap((some) => some ?? []);
  return (
    <section aria-label="Needs your attention" className={classes.section}>
      <h2>Needs your attention</h2>
      {all.length === 0 && (
        <p className="soft">
          Nothing: no dispute, no refund to approve, nothing failed or missing.
        </p>
      )}
      <ul className={classes.needs}>
        {all.map(({ key, says, path, search = {} }) => (
          <li key={key}>
            <Icon name="warning" size={16} />
            <Link to={address(path)} search={search as never}>
              {says}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};

const options = (enabled: boolean) => ({ enabled, refetchEveryMs: lookEveryMs });

/** Null while it loads. Without the permission, or when it cannot be read, there is nothing to say. */
type Needs = readonly Need[] | null;

const useDisputes = (): Needs => {
  const query = { status: 'OPEN', limit: shownMax } as const;
  const { data, isLoading } = useOperation(listDisputes, { query }, options(true));
  if (isLoading) return null;
  return (data?.data ?? []).flatMap(({ paymentRequestId, orderId, paidAmount, disputes }) => {
    const open = disputes.find(({ status, answer }) => status === 'OPEN' && answer === 'DRAFT');
    if (!open) return [];
    const when = open.respondBy ? `: answer ${writeAge(new Date(open.respondBy), now())}` : '';
    return {
      key: paymentRequestId,
      says: `${writePounds(paidAmount)} of order ${orderId} is disputed${when}`,
      path: `payments/${paymentRequestId}/disputes/${open.reference}`,
    };
  });
};

const useApprovals = (): Needs => {
  const mayDecide = useMay('payments.refund');
  const query = { status: 'WAITING' } as const;
  const read = useOperation(listRefundApprovals, { query }, options(mayDecide));
  if (read.isLoading) return null;
  const waiting = (read.data?.data ?? []).filter(({ isOwn }) => !isOwn);
  if (waiting.length > shownMax)
    return [{ key: 'approvals', says: 'Refunds wait for your approval', path: 'refunds' }];
  return waiting.map(({ approvalId, amount, orderId, proposedBy }) => ({
    key: approvalId,
    says: `${proposedBy} proposes to refund ${writePounds(amount)} of order ${orderId}`,
    path: 'refunds',
  }));
};

const useFailingEndpoints = (): Needs => {
  const mayRead = useMay('webhooks.read');
  const read = useOperation(listWebhookHealth, { query: { hours: 24 } }, options(mayRead));
  if (read.isLoading) return null;
  return (read.data?.data ?? [])
    .filter(({ health }) => health === 'FAILING')
    .map(({ endpointId, url }) => ({
      key: endpointId,
      says: `The webhook endpoint ${new URL(url).host} fails`,
      path: `developers/webhooks/${endpointId}`,
    }));
};

/** A bank that does not say for a day what became of a payment. */
const useStuck = (today: string): Needs => {
  const mayRead = useMay('payments.read');
  const { from: yesterday } = daysUpTo(2, today);
  const search = { status: 'PENDING', to: yesterday };
  const body = { status: ['PENDING' as const], toDate: yesterday };
  const read = useOperation(
    searchTransactions,
    { query: { page: 0, size: 1 }, body },
    options(mayRead),
  );
  if (read.isLoading) return null;
  const count = read.data?.totalCount ?? 0;
  if (count === 0) return [];
  const says = count === 1 ? 'A payment is pending' : `${count} payments are pending`;
  return [{ key: 'pending', says: `${says} since yesterday or longer`, path: 'payments', search }];
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
          ? `The payout ${reference} of ${writePounds(Number(amount))} is not on your account`
          : `Your account shows another amount than ${writePounds(Number(amount))} of ${reference}`,
      path: `payouts/${payoutId}`,
    }),
  );
};
