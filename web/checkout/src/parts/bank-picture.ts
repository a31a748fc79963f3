import type { CheckoutBank } from '@florin/contract';
import { type Html, html, htmlText } from '../html/html.ts';
import { safeImageAddress } from '../html/safe-address.ts';
import { inkOn, plainHex } from '../style/contrast.ts';

/** The installation's icon of a bank, the drawing of a test bank, or two letters. */
export const bankPicture = ({ id, name, colour, iconUrl = '' }: PicturedBank): Html => {
  const address = safeImageAddress(iconUrl === '' ? null : iconUrl);
  if (address !== null)
    return html`<img class="monogram" src="${address}" alt="" width="40" height="40">`;
  return bankDrawing(id, colour) ?? monogram(name, colour);
};

/** Of a bank of which a page knows no more than its id: our server has a picture of each (PAGE-8). */
export const servedBankPicture = (id: string): Html =>
  html`<img class="monogram" src="/bank-icons/${encodeURIComponent(id)}.svg" alt="" width="40" height="40">`;

type PicturedBank = Pick<CheckoutBank, 'id' | 'name' | 'colour' | 'iconUrl'>;

/** Ours, of banks that do not exist: what their invented names say. */
const drawings: Readonly<Record<string, string>> = {
  mock: 'M9 17 20 11l11 6zM12 20v7m5-7v7m6-7v7m5-7v7M9 30h22',
  harbour: 'M20 13v15m-5-9h10m-14 4c1 5 4 7 9 7s8-2 9-7M20 8.5v.01',
  northfield: 'M20 9l4 11-4 11-4-11zM9 20h4m14 0h4',
  copperleaf: 'M11 29c0-12 6-18 18-18 0 12-6 18-18 18zm0 0 11-11',
  kestrel: 'M8 16c6 0 9 2 12 7 3-5 6-7 12-7-3 7-7 11-12 14-5-3-9-7-12-14z',
  larkrise: 'M9 28h22M12 24a8 8 0 0 1 16 0M20 9v4m-9 1 2 3m16-3-2 3',
  tidewater: 'M8 16c4-4 8-4 12 0s8 4 12 0M8 24c4-4 8-4 12 0s8 4 12 0',
  emberly: 'M20 9c5 5 8 8 8 13a8 8 0 0 1-16 0c0-3 2-5 4-7 0 3 1 5 3 5 2-3 2-7 1-11z',
  greyfriars: 'M12 30V18l8-8 8 8v12zM17 30v-6a3 3 0 0 1 6 0v6',
  foxglove: 'M14 12h12l2 12c-2 2-4 3-8 3s-6-1-8-3zM20 27v5',
};

const bankDrawing = (id: string, colour: string | null): Html | null => {
  const lines = drawings[/^([a-z]+)-sandbox/.exec(id)?.[1] ?? ''];
  if (lines === undefined) return null;
  const hex = plainHex(colour) ?? plainColour;
  return html`
    <svg class="monogram" viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      <rect width="40" height="40" rx="12" fill="#${hex}"/>
      <path d="${lines}" fill="none" stroke="#${inkOn(hex)}" stroke-width="2.5"
        stroke-linecap="round" stroke-linejoin="round"/>
    </svg>
  `;
};

const standalone =
  'xmlns="http://www.w3.org/2000/svg" width="80" height="80" font-family="system-ui,sans-serif" ' +
  'font-size="16" font-weight="600"';

/** The same picture by itself, for pages that have none of our styles. */
export const bankIcon = (name: string, colour: string | null, id = ''): string =>
  htmlText(bankDrawing(id, colour) ?? monogram(name, colour))
    .trim()
    .replace('class="monogram"', standalone)
    .replace(' aria-hidden="true" focusable="false"', '');

const plainColour = '2a3a63';

/**
 * Two letters on a bank's or merchant's colour. Presentation attributes of SVG are not inline
 * style, so the colour needs no style sheet of its own under the content security policy.
 */
export const monogram = (name: string, colour: string | null): Html => {
  const hex = plainHex(colour) ?? plainColour;
  return html`
    <svg class="monogram" viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      <rect width="40" height="40" rx="12" fill="#${hex}"/>
      <text x="20" y="20.5" fill="#${inkOn(hex)}" text-anchor="middle" dominant-baseline="central">
        ${letters(name)}
      </text>
    </svg>
  `;
};

const letters = (name: string): string => {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const [first = '', second = ''] = words;
  const pair =
    second === ''
      ? [...first].slice(0, 2).join('')
      : `${[...first][0] ?? ''}${[...second][0] ?? ''}`;
  return pair.toUpperCase();
};
