import type { CheckoutView } from '@florin/contract';
import { html } from './html/html.ts';
import { formatDateTime, formatMoney } from './language/format.ts';
import { mailDocument, mailSubject, type PayerMail, plainSupport } from './parts/mail.ts';
import { createPage } from './parts/page.ts';
import { paymentMethodName } from './parts/payment-method.ts';
import { fileOf, plainLines, type ReceiptSheet, receiptSheet } from './receipt-sheet.ts';
import { lineText, mailLogo } from './render-receipt-mail.ts';

type View = Extract<CheckoutView, { page: 'RESULT' }>;

export type RefundReceipt = {
  /** Two decimals. */
  readonly amount: string;
  /** When the bank or the processor was told, or when it was asked for. */
  readonly refundedAt: string;
  readonly isDone: boolean;
};

const paymentIdCharacters = 13;
const linkStyle = 'color:#2a3a63';
const fileWords = 'The receipt as a PDF';

/** English, as all that a business sends: the page of the payment has the payer's language. */
const refundSheet = (view: View, refund: RefundReceipt): ReceiptSheet => {
  const page = createPage({ ...view, frame: { ...view.frame, locale: 'en' }, returnTo: null });
  const { frame, summary } = page;
  const facts = [
    summary.orderId !== '' && { label: 'Order', value: summary.orderId },
    { label: 'Refunded', value: formatDateTime('en', refund.refundedAt) },
    { label: 'To', value: paymentMethodName(page, view.attempt) },
    { label: 'State', value: refund.isDone ? 'Done' : 'On its way' },
    { label: 'You had paid', value: formatMoney('en', summary.totalAmount) },
    view.paidAt !== null && { label: 'Paid on', value: formatDateTime('en', view.paidAt) },
    { label: 'Payment ID', value: frame.paymentRequestId.slice(0, paymentIdCharacters) },
  ];
  return {
    ...receiptSheet(view, page),
    title: `Refund from ${frame.merchantName}`,
    amount: formatMoney('en', refund.amount),
    facts: plainLines(facts),
    outcome: null,
    amounts: [],
    items: null,
    note: null,
  };
};

export const refundFile = (view: View, refund: RefundReceipt): ReceiptSheet | null =>
  fileOf(refundSheet(view, refund));

type Addresses = { readonly publicUrl: string; readonly fileUrl: string };

/** The receipt of a refund as a mail, with the address of the same as a file. */
export const renderRefundMail = (
  view: View,
  refund: RefundReceipt,
  { publicUrl, fileUrl }: Addresses,
): PayerMail => {
  const sheet = refundSheet(view, refund);
  const { merchantName, support } = view.frame;
  const { amount, facts, sandbox } = sheet;
  const isFile = fileOf(sheet) !== null;
  const contact = `Questions? Contact ${merchantName}`;
  const why = `You get this mail because ${merchantName} sent it to you.`;
  return {
    subject: mailSubject(`Refund: ${amount} from ${merchantName}`),
    text: [
      ...(sandbox ? [sandbox, ''] : []),
      `${merchantName} refunds you ${amount}.`,
      '',
      ...facts.map(lineText),
      '',
      ...(isFile ? [`${fileWords}: ${fileUrl}`, ''] : []),
      ...plainSupport(contact, support),
      why,
      '',
    ].join('\n'),
    html: mailDocument({
      locale: 'en',
      title: sheet.title,
      sandbox: sandbox !== null && html`${sandbox}`,
      logoUrl: mailLogo(view.frame, publicUrl),
      accentColour: sheet.accentColour,
      heading: sheet.title,
      says: sheet.place,
      amount,
      body: html`${
        isFile &&
        html`<p style="margin:0 0 16px"><a href="${fileUrl}" style="${linkStyle}">${fileWords}</a></p>`
      }`,
      facts,
      support: { title: contact, contact: support },
      why,
    }),
  };
};
