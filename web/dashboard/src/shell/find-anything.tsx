import { listCustomers, listPayouts, type ReplyOf, searchTransactions } from '@florin/contract';
import { findReference } from '@florin/contract/dashboard/index.ts';
import { Kbd, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { useAddress, useMay, useOperation } from '../call/use-operation.ts';
import { Icon } from '../design/icon.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { type Failed, NotRead } from '../parts/failure-notice.tsx';
import { typing } from '../parts/fields.ts';
import { useFocusBack } from '../parts/focus-page.ts';
import { writePounds } from '../parts/numbers.ts';
import { describeStatus } from '../parts/status-badge.tsx';
import classes from './find-anything.module.css';

/** One search for everything, from every page: by / or by its field (DASHBOARD-51). */
export const FindAnything = (): ReactNode => {
  const [isOpen, { open, close }] = useDisclosure(false);
  useFocusBack(isOpen);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [open]);
  return (
    <>
      <UnstyledButton className={classes.opener ?? ''} onClick={open} aria-label="Find anything">
        <Icon name="search" size={16} />
        <span>Find</span>
        <Kbd size="xs">/</Kbd>
      </UnstyledButton>
      <Dialog
        opened={isOpen}
        onClose={close}
        title="Find anything"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Finder onFollow={close} />
      </Dialog>
    </>
  );
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [role=dialog]') !== null;

const afterTypingMs = 250;

const Finder = ({ onFollow }: { readonly onFollow: () => void }): ReactNode => {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), afterTypingMs);
  return (
    <search onKeyDown={walk} className={classes.finder}>
      <TextInput
        type="search"
        label="Order, customer, email, amount, last four digits, reference or id"
        data-autofocus
        data-found=""
        maxLength={100}
        autoComplete="off"
        {...typing(text, setText)}
      />
      {settled !== '' && <Findings text={settled} onFollow={onFollow} />}
    </search>
  );
};

/** The arrows go through what was found; Enter in the field opens the first. */
const walk = (event: KeyboardEvent<HTMLElement>): void => {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-found]')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'Enter' && at === 0) stops[1]?.click();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  stops[at + step]?.focus();
};

type Found = {
  readonly key: string;
  readonly path: string;
  readonly main: string;
  readonly more: string;
};

type Kind = {
  readonly title: string;
  readonly read: Failed & { readonly isFetching: boolean };
  readonly found: readonly Found[];
  /** The list that shows the rest. */
  readonly rest?: { readonly path: string; readonly total: number } | undefined;
};

type FindingsProps = { readonly text: string; readonly onFollow: () => void };

const Findings = ({ text, onFollow }: FindingsProps): ReactNode => {
  const kinds = useFindings(text);
  const address = useAddress();
  const isReading = kinds.some(({ read }) => read.isFetching);
  const isNothing = kinds.every(({ found }) => found.length === 0);
  return (
    <>
      <p role="status" className="soft">
        {isReading && 'Looking…'}
        {!isReading && isNothing && `Nothing has “${text}”.`}
      </p>
      {kinds.map(({ title, read, found, rest }) => (
        <div key={title}>
          <NotRead of={read} />
          {found.length > 0 && (
            <section aria-label={title}>
              <h3>{title}</h3>
              <ul>
                {found.map(({ key, path, main, more }) => (
                  <li key={key}>
                    <Link to={address(path)} onClick={onFollow} data-found="">
                      <span>{main}</span>
                      <span className="soft">{more}</span>
                    </Link>
                  </li>
                ))}
                {rest && rest.total > found.length && (
                  <li>
                    <Link to={address(rest.path)} onClick={onFollow} data-found="">
                      All of them
                    </Link>
                  </li>
                )}
              </ul>
            </section>
          )}
        </div>
      ))}
    </>
  );
};

const shownOfEach = 5;

const useFindings = (text: string): readonly Kind[] => {
  const [mayCustomers, mayPayouts] = [useMay('customers.read'), useMay('payouts.read')];
  const size = shownOfEach;
  const named = useOperation(findReference, { query: { reference: text } });
  const payments = useOperation(searchTransactions, {
    query: { page: 0, size },
    body: { search: text },
  });
  const customers = useOperation(
    listCustomers,
    { query: { page: 0, size, search: text } },
    { enabled: mayCustomers },
  );
  const payouts = useOperation(
    listPayouts,
    { query: { page: 0, limit: size, search: text } },
    { enabled: mayPayouts },
  );
  const search = `search=${encodeURIComponent(text)}`;
  return [
    { title: 'Named by it', read: named, found: (named.data?.data ?? []).map(foundByName) },
    {
      title: 'Payments',
      read: payments,
      found: (payments.data?.data ?? []).map(foundPayment),
      rest: payments.data && { path: `payments?${search}`, total: payments.data.totalCount },
    },
    {
      title: 'Customers',
      read: customers,
      found: (customers.data?.data ?? []).map(foundCustomer),
      rest: customers.data && { path: `customers?${search}`, total: customers.data.totalCount },
    },
    {
      title: 'Payouts',
      read: payouts,
      found: (payouts.data?.data ?? []).map(foundPayout),
      rest: payouts.data && { path: `payouts?${search}`, total: payouts.data.totalCount },
    },
  ];
};

const kindWords = {
  PAYMENT: 'Payment',
  REFUND: 'Refund of',
  DISPUTE: 'Dispute of',
  PAYOUT: 'Payout',
} as const satisfies Record<ReplyOf<typeof findReference>['data'][number]['kind'], string>;

const foundByName = (named: ReplyOf<typeof findReference>['data'][number]): Found => ({
  key: `${named.kind} ${named.paymentRequestId ?? named.payoutId}`,
  path: named.payoutId ? `payouts/${named.payoutId}` : `payments/${named.paymentRequestId}`,
  main: `${kindWords[named.kind]} ${named.orderId ?? ''}`.trim(),
  more: '',
});

const foundPayment = (payment: ReplyOf<typeof searchTransactions>['data'][number]): Found => ({
  key: payment.paymentIdempotencyId,
  path: `payments/${payment.paymentRequestId}`,
  main: `${writePounds(payment.paidAmount)} · ${payment.orderId}`,
  more: [payment.consumerName, describeStatus(payment.status).words].filter(Boolean).join(' · '),
});

const foundCustomer = (customer: ReplyOf<typeof listCustomers>['data'][number]): Found => ({
  key: customer.id,
  path: `customers/${customer.id}`,
  main: customer.fullName,
  more: customer.email ?? '',
});

const foundPayout = (payout: ReplyOf<typeof listPayouts>['data'][number]): Found => ({
  key: payout.id,
  path: `payouts/${payout.id}`,
  main: `${writePounds(Number(payout.amount))} · ${payout.reference ?? ''}`,
  more: describeStatus(payout.status).words,
});
