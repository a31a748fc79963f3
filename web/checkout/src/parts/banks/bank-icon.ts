import { htmlText } from '../../html/html.ts';
import { bankDrawing } from './bank-picture.ts';
import { monogram } from './monogram.ts';

const standalone =
  'xmlns="http://www.w3.org/2000/svg" width="80" height="80" font-family="system-ui,sans-serif" ' +
  'font-size="16" font-weight="600"';

/** The same picture by itself, for pages that have none of our styles. */
export const bankIcon = (name: string, colour: string | null, id = ''): string =>
  htmlText(bankDrawing(id, colour) ?? monogram(name, colour))
    .trim()
    .replace('class="monogram"', standalone)
    .replace(' aria-hidden="true" focusable="false"', '');
