import { listCustomers, listPayouts, type ReplyOf, searchTransactions } from '@florin/contract';
import { findReference, listPaymentLinks } from '@florin/contract/dashboard/index.ts';
import { Button, Kbd, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useAddress, useMay, useOperation } from '../call/use-operation.ts';
import { type Failed, NotRead } from '../parts/failure-notice.tsx';
import { typing } from '../parts/fields.ts';
import { writeCount, writePounds } from '../parts/numbers.ts';
import { describeStatus } from '../parts/status-badge.tsx';
import classes from './find-anything.module.css';

const afterTypingMs = 250;

type FinderProps = {
  /** Before the field was there. */
  readonly typed: { readonly current: string };
  /** A finding is followed, or none is. */
  readonly onFollow: () => void;
};

/** What is typed, and all that has it. */
export const Finder = ({ typed, onFollow }: FinderProps): ReactNode => {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // It comes after its dialog, which has given the focus away by then, or gives it away once more.
  useEffect(() => {
    setText(typed.current);
    field.current?.focus();
    const begin = ({ key, target }: globalThis.KeyboardEvent): void => {
      if (key.length === 1 && !(target instanceof HTMLInputElement)) field.current?.focus();
    };
    document.addEventListener('keydown', begin);
    return () => document.removeEventListener('keydown', begin);
  }, [typed]);
  const [settled] = useDebouncedValue(text.trim(), afterTypingMs);
  return (
    <search onKeyDown={walk} className={classes.finder}>
      <div className={classes.line}>
        <TextInput
          type="search"
          size="md"
          aria-label="Order, customer, email, amount, last four digits, reference or id"
          placeholder="Order, customer, email, amount, last four, reference or id"
          ref={field}
          data-autofocus
          data-found=""
          maxLength={100}
          autoComplete="off"
          {...typing(text, setText)}
        />
        <Button variant="subtle" className={classes.cancel ?? ''} onClick={onFollow}>
          Cancel
        </Button>
      </div>
      {settled !== '' && <Findings text={settled} onFollow={onFollow} />}
      <p className={classes.keys} aria-hidden="true">
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> move <Kbd size="xs">↵</Kbd> open{' '}
        <Kbd size="xs">esc</Kbd> close
        <span>
          Anywhere: <Kbd size="xs">?</Kbd> all keys
        </span>
      </p>
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
  const first = kinds.find(({ found }) => found.length > 0)?.found[0];
  return (
    <>
      <p role="status" className="soft">
        {isReading && 'Searching…'}
        {!isReading && isNothing && `Nothing found for “${text}”.`}
      </p>
      {kinds.map(({ title, read, found, rest }) => (
        <div key={title}>
          <NotRead of={read} />
          {found.length > 0 && (
            <section aria-label={title}>
              <h3>
                {title} {rest && <span className="soft figures">{writeCount(rest.total)}</span>}
              </h3>
              <ul>
                {found.map(({ key, path, main, more }) => (
                  <li key={key}>
                    <Link
                      to={address(path)}
                      onClick={onFollow}
                      data-found=""
                      data-first={key === first?.key || undefined}
                    >
                      <span>{main}</span>
                      <span className="soft">{more}</span>
                    </Link>
                  </li>
                ))}
                {rest && rest.total > found.length && (
                  <li>
                    <Link to={address(rest.path)} onClick={onFollow} data-found="">
                      All {writeCount(rest.total)} {title.toLowerCase()} with “{text}”
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
  const links = useOperation(
    listPaymentLinks,
    { query: { search: text, limit: size } },
    { enabled: useMay('links.write') },
  );
  const search = `search=${encodeURIComponent(text)}`;
  return [
    { title: 'Exact match', read: named, found: (named.data?.data ?? []).map(foundByName) },
    {
      title: 'Payments',
      read: payments,
      found: (payments.data?.data ?? []).map(foundPayment),
      rest: payments.data && { path: `payments?${search}`, total: payments.data.totalCount },
    },
    {
      title: 'Payment links',
      read: links,
      // One that is paid stands among the payments.
      found: (links.data?.data ?? []).filter(({ paidAmount }) => paidAmount === 0).map(foundLink),
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

const foundLink = (link: ReplyOf<typeof listPaymentLinks>['data'][number]): Found => ({
  key: `link ${link.paymentRequestId}`,
  path: `links/${link.paymentRequestId}`,
  main: `${writePounds(link.amount)} · ${link.orderId}`,
  more: describeStatus(link.status).words,
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
