import { htmlText } from '../../html/html.ts';
import { monogram } from './monogram.ts';

const standalone =
  'xmlns="http://www.w3.org/2000/svg" width="80" height="80" font-family="system-ui,sans-serif" ' +
  'font-size="16" font-weight="600"';

/** The monogram as a picture of its own, for pages that have none of our styles. */
export const bankIcon = (name: string, colour: string | null): string =>
  htmlText(monogram(name, colour))
    .trim()
    .replace('class="monogram"', standalone)
    .replace(' aria-hidden="true" focusable="false"', '');
