import type { LinkView } from '@florin/contract';
import { asLocale } from './language/locales.ts';
import { openWords } from './language/words.ts';
import { chooseLinkBank } from './link/choose-link-bank.ts';
import { linkConsent } from './link/link-consent.ts';
import { type LinkPage, type LinkParts, linkAddress } from './link/link-page.ts';
import { linkEnded, linked, linkWaiting } from './link/linked.ts';
import { testBank } from './link/test-bank.ts';
import { pageFooter } from './parts/frame/page-footer.ts';
import { pageHeader } from './parts/frame/page-header.ts';
import { renderDocument } from './parts/frame/render-document.ts';
import type { Assets } from './parts/page.ts';

/** The page on which a customer links bank accounts, confirms that, or ends it. */
export const renderLink = (view: LinkView, assets: Assets): string => {
  const { frame } = view;
  const words = openWords(asLocale(frame.locale) ?? 'en');
  const page: LinkPage = { words, ...view };
  const parts = partsOf(page, view);
  const here = parts.here ?? linkAddress(page);
  return renderDocument({
    words,
    assets,
    title: `${parts.title} · ${frame.merchantName}`,
    accentColour: frame.accentColour,
    refresh: parts.refreshInSeconds
      ? { seconds: parts.refreshInSeconds, address: linkAddress(page) }
      : null,
    data: { page: `LINK_${view.page}` },
    header: pageHeader(frame, words),
    main: parts.main,
    footer: pageFooter(frame, words, here),
  });
};

const partsOf = (page: LinkPage, view: LinkView): LinkParts => {
  switch (view.page) {
    case 'CHOOSE_BANK':
      return chooseLinkBank(page, view);
    case 'CONSENT':
      return linkConsent(page, view);
    case 'WAITING':
      return linkWaiting(page, view);
    case 'LINKED':
      return linked(page, view);
    case 'ENDED':
      return linkEnded(page);
    case 'TEST_BANK':
      return testBank(page, view);
  }
};
