import type { CheckoutView } from '@florin/contract';
import { eventsAddress } from './addresses.ts';
import { chooseBank } from './pages/choose-bank.ts';
import { ended } from './pages/ended.ts';
import type { PageParts } from './pages/page-parts.ts';
import { result } from './pages/result.ts';
import { review } from './pages/review.ts';
import { waiting } from './pages/waiting.ts';
import { documentText } from './parts/document.ts';
import { pageFooter } from './parts/footer.ts';
import { pageHeader } from './parts/header.ts';
import { type Assets, type Page, pageOf } from './parts/page.ts';

const partsOf = (page: Page, view: CheckoutView): PageParts => {
  switch (view.page) {
    case 'CHOOSE_BANK':
      return chooseBank(page, view);
    case 'REVIEW':
      return review(page, view);
    case 'WAITING':
      return waiting(page, view);
    case 'RESULT':
      return result(page, view);
    case 'EXPIRED':
    case 'CANCELLED':
      return ended(page, view);
    default:
      throw new Error(`no page shows ${view.page}`);
  }
};

/** A whole HTML document. It holds no script and no style of its own. */
export const renderCheckout = (view: CheckoutView, assets: Assets): string => {
  const { frame } = view;
  const page = pageOf(frame, view.summary, view.returnTo);
  const parts = partsOf(page, view);
  const { words } = page;
  return documentText({
    words,
    assets,
    title: `${parts.title} · ${frame.merchantName}`,
    accentColour: frame.accentColour,
    refresh: parts.refresh,
    data: {
      page: view.page,
      home: page.addressOf(),
      version: frame.version === undefined ? null : String(frame.version),
      events: parts.followsChanges ? eventsAddress(frame.paymentRequestId) : null,
    },
    header: pageHeader(frame, words),
    main: parts.main,
    footer: pageFooter(frame, words, parts.here),
  });
};
