import type { SupportContact } from '@florin/contract';
import { html } from './html/html.ts';
import { formatDateTime, formatMoney } from './language/format.ts';
import { mailDocument, mailSubject, type PayerMail, plainSupport } from './parts/mail.ts';

export type LinkMail = {
  readonly merchantName: string;
  readonly isSandbox: boolean;
  /** Two decimals. */
  readonly amount: string;
  readonly orderId: string;
  readonly notes: string | null;
  /** What the member writes to the payer; may be empty. */
  readonly note: string;
  readonly address: string;
  readonly expiresAt: string;
  readonly support: SupportContact;
};

const sandbox = 'Sandbox: no real money moves.';

const buttonStyle =
  'display:inline-block;padding:12px 24px;border-radius:6px;background:#2a3a63;color:#ffffff;' +
  'text-decoration:none';

/** A request to pay, as a mail. English: the business wrote it, and the page has the payer's language. */
export const renderLinkMail = (mail: LinkMail): PayerMail => {
  const { merchantName, isSandbox, note, address, support } = mail;
  const amount = formatMoney('en', mail.amount);
  const facts = [
    { label: 'Order', value: mail.orderId },
    ...(mail.notes ? [{ label: 'For', value: mail.notes }] : []),
    { label: 'Can be paid until', value: formatDateTime('en', mail.expiresAt) },
  ];
  const contact = `Contact ${merchantName}:`;
  const why = `You get this mail because ${merchantName} sent it to you. If you do not know them, ignore it.`;
  return {
    subject: mailSubject(`${merchantName} requests ${amount}`),
    text: [
      ...(isSandbox ? [sandbox, ''] : []),
      `${merchantName} requests a payment of ${amount}.`,
      '',
      ...(note ? [note, ''] : []),
      ...facts.map(({ label, value }) => `${label}: ${value}`),
      '',
      `Pay here: ${address}`,
      '',
      ...plainSupport(contact, support),
      why,
      '',
    ].join('\n'),
    html: mailDocument({
      locale: 'en',
      title: 'Payment request',
      sandbox: isSandbox && html`${sandbox}`,
      heading: merchantName,
      says: 'requests a payment of',
      amount,
      body: html`
        ${note !== '' && html`<p style="margin:0 0 16px;white-space:pre-line">${note}</p>`}
        <p style="margin:0 0 16px"><a href="${address}" style="${buttonStyle}">Pay ${amount}</a></p>
      `,
      facts,
      support: { title: contact, contact: support },
      why,
    }),
  };
};
