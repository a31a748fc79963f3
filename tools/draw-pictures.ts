import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../test/harness/browser/open-browser.ts';
import { renderCheckout } from '../web/checkout/src/render-checkout.ts';
import { renderLink } from '../web/checkout/src/render-link.ts';
import {
  sampleChooseBank,
  sampleReview,
  sampleViews,
} from '../web/checkout/src/test/sample-views.ts';
import {
  assetUrls,
  type PageServer,
  servePages,
  page as shown,
} from '../web/checkout/src/test/serve-pages.ts';
import { openAddress, serveSamples, visit } from '../web/checkout/src/test/visit.ts';

const phone = { width: 390, height: 844 };
const screens = {
  phone: { viewport: phone },
  small: { viewport: { width: 360, height: 640 } },
  desktop: { viewport: { width: 1280, height: 800 } },
  dark: { viewport: phone, colorScheme: 'dark' },
  'desktop-dark': { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  large: { viewport: phone },
  zoomed: { viewport: { width: 320, height: 640 } },
} as const satisfies Record<string, BrowserContextOptions>;

type Screen = keyof typeof screens;

const onPhone: readonly Screen[] = ['phone'];
const everywhere: readonly Screen[] = ['phone', 'desktop', 'dark', 'desktop-dark'];
const pictures: Readonly<Record<string, readonly Screen[]>> = {
  'choose-bank': ['phone', 'small', 'desktop', 'dark', 'large', 'zoomed'],
  'choose-after-failure': onPhone,
  review: ['phone', 'desktop'],
  started: onPhone,
  'started-elsewhere': ['desktop'],
  waiting: onPhone,
  'waiting-slow': onPhone,
  paid: onPhone,
  'paid-share': onPhone,
  'paid-wrong-email': onPhone,
  'paid-mail-requested': onPhone,
  failed: onPhone,
  'failed-for-good': onPhone,
  tip: onPhone,
  'share-and-tip': onPhone,
  'card-new': everywhere,
  'card-open': onPhone,
  contact: everywhere,
  logo: everywhere,
  'logo-wide': onPhone,
  'link-contact': everywhere,
};

/** An invented merchant's: a marigold, and the same with its name beside it. */
const flower =
  '<circle cx="32" cy="32" r="30" fill="#fff4d6"/><g fill="#e8890c">' +
  [0, 45, 90, 135, 180, 225, 270, 315]
    .map((turn) => `<ellipse cx="32" cy="17" rx="7" ry="11" transform="rotate(${turn} 32 32)"/>`)
    .join('') +
  '</g><circle cx="32" cy="32" r="9" fill="#7a3e1d"/>';
const logos = {
  '/merchant-logos/flower.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${flower}</svg>`,
  '/merchant-logos/wide.svg':
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 64">${flower}` +
    '<text x="74" y="44" font-family="Georgia, serif" font-size="34" fill="#7a3e1d">Marigold</text></svg>',
} as const;

const { frame: sampleFrame } = sampleChooseBank;
const support = {
  email: 'help@marigold.example',
  phone: '020 7946 0000',
  url: 'https://marigold.example/help',
};

/** What a merchant adds: a logo, and where it helps. */
const servePicturesOfMerchants = (server: PageServer): void => {
  for (const [path, svg] of Object.entries(logos))
    server.answers.set(`GET ${path}`, (_, response) => {
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg);
    });
  const serve = (name: string, body: string) => server.answers.set(`GET /en/${name}`, shown(body));
  const [flowerPath, widePath] = Object.keys(logos);
  const withLogo = (avatarUrl = '') =>
    renderCheckout({ ...sampleChooseBank, frame: { ...sampleFrame, avatarUrl } }, assetUrls());
  serve('logo', withLogo(flowerPath));
  serve('logo-wide', withLogo(widePath));
  const frame = { ...sampleFrame, support };
  serve('contact', renderCheckout({ ...sampleViews['failed-for-good'], frame }, assetUrls()));
  serve(
    'link-contact',
    renderLink(
      {
        ...{ frame, accountAuthId: sampleFrame.paymentRequestId, formToken: 'x', returnTo: null },
        page: 'ENDED',
      },
      assetUrls(),
    ),
  );
};

/** The first was the demo merchant's before (`0028-looks-and-languages.md`). */
const accents = ['#7a3e1d', '#2447d6', '#0b6b75', '#6d28a8', '#a8224f'];

const quality = 46;

const shoot = async (page: Page): Promise<Buffer> => {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  return Buffer.from(data, 'base64');
};

const draw = async (browser: Browser, address: string, screen: Screen): Promise<Buffer> => {
  const { page, close } = await visit(browser, screens[screen]);
  await openAddress(page, address);
  if (screen === 'large') await page.evaluate("document.documentElement.style.fontSize='200%'");
  const picture = await shoot(page);
  if (process.env.PNG)
    await page.screenshot({
      path: join(process.env.PNG, `${address.split('/').at(-1)}-${screen}.png`),
    });
  await close();
  return picture;
};

/** One page in every accent, side by side. */
const drawAccents = async (
  browser: Browser,
  server: PageServer,
  colorScheme: 'light' | 'dark',
): Promise<Buffer> => {
  const { page, close } = await visit(browser, {
    viewport: { width: 390, height: 560 },
    colorScheme,
  });
  const drawn: string[] = [];
  for (const accentColour of accents) {
    const frame = { ...sampleReview.frame, accentColour, merchantName: 'Demo Coffee Roasters' };
    const body = renderCheckout({ ...sampleReview, frame }, assetUrls());
    server.answers.set('GET /accent', shown(body, accentColour));
    await openAddress(page, `${server.origin}/accent`);
    drawn.push(`data:image/webp;base64,${(await shoot(page)).toString('base64')}`);
  }
  await page.setViewportSize({ width: 5 * 300, height: 431 });
  server.answers.set('GET /accents', (_, response) => {
    const images = drawn.map((src) => `<img width="300" src="${src}" alt="">`).join('');
    response.end(`<body style="margin:0;display:flex"><h1 hidden></h1>${images}`);
  });
  await page.goto(`${server.origin}/accents`);
  const picture = await shoot(page);
  if (process.env.PNG)
    await page.screenshot({ path: join(process.env.PNG, `accents-${colorScheme}.png`) });
  await close();
  return picture;
};

/** Pictures of the payer's page, from the sample payments of its tests. */
const [folder = 'pictures/checkout'] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const [browser, server] = await Promise.all([openBrowser(), servePages()]);
serveSamples(server, 'en');
servePicturesOfMerchants(server);
// The simulator's ids, which have drawings of their own.
const banks = sampleChooseBank.banks.map((bank) => ({ ...bank, id: `${bank.id}-sandbox` }));
const withDrawings = renderCheckout({ ...sampleChooseBank, banks }, assetUrls());
server.answers.set('GET /en/choose-bank', shown(withDrawings));
for (const [name, drawn] of Object.entries(pictures))
  for (const screen of drawn) {
    const picture = await draw(browser, `${server.origin}/en/${name}`, screen);
    await writeFile(join(folder, `${name}-${screen}.webp`), picture);
  }
for (const scheme of ['light', 'dark'] as const)
  await writeFile(
    join(folder, `accents-${scheme}.webp`),
    await drawAccents(browser, server, scheme),
  );
await browser.close();
await server.close();
