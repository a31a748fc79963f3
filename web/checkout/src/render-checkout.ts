import type { CheckoutView } from '@florin/contract';
import type { StyleExtent } from './assets/checkout-assets.ts';
import { embedData } from './embed-data.ts';
import { eventsAddress } from './html/pay-address.ts';
import { safeImageAddress } from './html/safe-address.ts';
import { formatMoney } from './language/format.ts';
import { atCardPage } from './pages/at-card-page.ts';
import { chooseAmount } from './pages/choose-amount.ts';
import { chooseBank } from './pages/choose-bank.ts';
import { chooseCard } from './pages/choose-card.ts';
import { billPaid, ended, noWayToPay, suspended } from './pages/dead-ends.ts';
import { howItWorks } from './pages/how-it-works.ts';
import { result } from './pages/result.ts';
import { review } from './pages/review.ts';
import { started } from './pages/started.ts';
import { waiting } from './pages/waiting.ts';
import { bankIcon } from './parts/bank-picture.ts';
import { pageFooter } from './parts/frame/page-footer.ts';
import { pageHeader } from './parts/frame/page-header.ts';
import { renderDocument, sharing } from './parts/frame/render-document.ts';
import { type Assets, createPage, type Page, type PageParts } from './parts/page.ts';

/** A whole HTML document, without inline scripts or styles. */
export const renderCheckout = (view: CheckoutView, assets: Assets): string => {
  const { frame } = view;
  const page = createPage(view);
  const parts = view.embed?.showsSteps ? howItWorks(page, view) : partsOf(page, view);
  const { words } = page;
  const here = page.addressOf(parts.here);
  return renderDocument({
    words,
    assets,
    cardScript: parts.cardScript,
    title: `${parts.title} · ${frame.merchantName}`,
    accentColour: frame.accentColour,
    styles: stylesOf(view),
    refresh: parts.refresh,
    data: {
      page: view.page,
      // What changes figures only leaves the payer at this step, as others' payments of a split bill do.
      home: parts.home ?? page.addressOf(staysHere(view, parts) ? parts.here : {}),
      look: parts.look,
      version: frame.version === undefined ? null : String(frame.version),
      events: parts.followsChanges ? eventsAddress(frame.paymentRequestId) : null,
      ...embedData(view),
    },
    header: parts.isBare
      ? null
      : pageHeader(frame, words, {
          here: showsScenarioPicker(view) ? here : null,
          isRepeated: parts.hasSummary,
          amount: parts.hasAmount ? formatMoney(words.locale, view.summary.totalAmount) : null,
        }),
    sharing: sharing(page),
    icon: iconOf(frame),
    main: parts.main,
    footer: parts.isBare ? null : pageFooter(frame, words, here, !parts.hasContact),
  });
};

/** What is to arrive at once carries no styles of other pages. */
const stylesOf = ({ page, embed }: CheckoutView): StyleExtent => {
  if (embed?.showsSteps) return 'all';
  if (page === 'CHOOSE_BANK') return 'list';
  return page === 'REVIEW' ? 'review' : 'all';
};

const staysHere = ({ summary }: CheckoutView, { look }: PageParts): boolean =>
  summary.splitsBill || look !== null;

/** The merchant's logo or letters, among the tabs of a browser. */
const iconOf = ({ avatarUrl, merchantName, accentColour }: CheckoutView['frame']): string =>
  safeImageAddress(avatarUrl) ??
  `data:image/svg+xml,${encodeURIComponent(
    bankIcon(merchantName.replace(/\p{Cs}/gu, ''), accentColour),
  )}`;

const partsOf = (page: Page, view: CheckoutView): PageParts => {
  switch (view.page) {
    case 'CHOOSE_BANK':
      return chooseBank(page, view);
    case 'REVIEW':
      return review(page, view);
    case 'STARTED':
      return started(page, view);
    case 'WAITING':
      return waiting(page, view);
    case 'RESULT':
      return result(page, view);
    case 'NO_WAY_TO_PAY':
      return noWayToPay(page, view);
    case 'SUSPENDED':
      return suspended(page, view);
    case 'EXPIRED':
    case 'CANCELLED':
      return ended(page, view);
    case 'BILL_PAID':
      return billPaid(page, view);
    case 'CHOOSE_AMOUNT':
      return chooseAmount(page, view);
    case 'CHOOSE_CARD':
      return chooseCard(page, view);
    case 'AT_CARD_PAGE':
      return atCardPage(page, view);
  }
};

/** Whether something may still be started at a bank. */
const showsScenarioPicker = (view: CheckoutView): boolean => {
  if (view.page === 'RESULT') return view.canRetry;
  return !pagesWithoutBankNext.has(view.page);
};

const pagesWithoutBankNext = new Set<CheckoutView['page']>([
  'CHOOSE_CARD',
  'AT_CARD_PAGE',
  'WAITING',
  'BILL_PAID',
  'NO_WAY_TO_PAY',
  'SUSPENDED',
  'EXPIRED',
  'CANCELLED',
]);
