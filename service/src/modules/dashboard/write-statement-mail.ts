import { html, mailDocument, mailSubject, type PayerMail } from '@florin/checkout';
import type { Tenant } from '#kernel/environment.ts';
import { plainName } from '#modules/people/index.ts';

type StatementTotals = Readonly<
  Record<'sold' | 'refunded' | 'reversed' | 'fees' | 'net' | 'tax' | 'paidOut' | 'closing', number>
>;

type StatementFacts = {
  readonly tenant: Tenant;
  readonly businessName: string;
  readonly fromDay: string;
  readonly toDay: string;
  readonly totals: StatementTotals;
  /** Where the dashboard is: `https://pay.example/dashboard`. */
  readonly dashboardUrl: string;
};

const inUtc = { timeZone: 'UTC' } as const;
const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', ...inUtc });
const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', ...inUtc });
const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

const writeDay = (day: string): string => days.format(new Date(day));

/** Totals of a month and a link to the statement. No single payment: people forward mails. */
export const writeStatementMail = (facts: StatementFacts): PayerMail => {
  const { tenant, businessName, fromDay, toDay, dashboardUrl } = facts;
  const name = plainName(businessName);
  const month = months.format(new Date(fromDay));
  const title = `Statement of ${month}`;
  const isSandbox = tenant.environment === 'SANDBOX';
  const page = `${dashboardUrl}/${tenant.merchantId}/${tenant.environment.toLowerCase()}`;
  const link = `${page}/home/statement?month=${fromDay.slice(0, 7)}`;
  const period = `${writeDay(fromDay)} to ${writeDay(toDay)}`;
  const rows = rowsOf(facts, period);
  const lines = [
    ...(isSandbox ? ['Sandbox: no real money moves.', ''] : []),
    `${name}: ${title}`,
    '',
    ...rows.map(({ label, value }) => `${label}: ${value}`),
    '',
    'By day and store, and as files, in the dashboard:',
    link,
    '',
    `${name} chose this address. It is changed in the dashboard:`,
    `${page}/settings/notifications`,
    '',
  ];
  return {
    subject: mailSubject(`${isSandbox ? 'Sandbox: ' : ''}${name}: statement of ${month}`),
    text: lines.join('\n'),
    html: mailDocument({
      locale: 'en',
      title,
      sandbox: isSandbox && html`<strong>Sandbox:</strong> no real money moves.`,
      heading: name,
      says: title,
      amount: pounds.format(facts.totals.net),
      body: html`<p style="margin:0 0 16px">left of what was sold from ${period}. ${linkTo(
        link,
        'Open the statement',
      )} by day and store, and as files.</p>`,
      facts: rows,
      support: { title: '', contact: undefined },
      why: html`${name} chose this address. ${linkTo(`${page}/settings/notifications`, 'Change it')} in
        the dashboard.`,
    }),
  };
};

const linkTo = (address: string, says: string) =>
  html`<a href="${address}" style="color:#2447d6">${says}</a>`;

const rowsOf = ({ totals, toDay }: StatementFacts, period: string) =>
  [
    ['Period', period],
    ['Sold', pounds.format(totals.sold)],
    ['Refunded', pounds.format(totals.refunded)],
    ['Taken back', pounds.format(totals.reversed)],
    ['Fees', pounds.format(totals.fees)],
    ['Left', pounds.format(totals.net)],
    ['VAT in sales', pounds.format(totals.tax)],
    ['Paid out', pounds.format(totals.paidOut)],
    [`Balance not paid out on ${writeDay(toDay)}`, pounds.format(totals.closing)],
  ].map(([label = '', value = '']) => ({ label, value }));
