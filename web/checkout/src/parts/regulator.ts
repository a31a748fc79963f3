import type { PageFrame } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import type { Words } from '../language/words.ts';
import { icons } from './icons.ts';

/** Who carries the payment, with its number at the regulator where its status names one, in one line. */
export const regulator = ({ operatorName, operatorStatus }: PageFrame): Html | null => {
  const status = operatorStatus ?? '';
  const [number] = isOfRegulator.test(status) ? (/\b\d{6,7}\b/.exec(status) ?? []) : [];
  return number === undefined ? null : html`<bdi>${operatorName}, FCA ${number}</bdi>`;
};

const isOfRegulator = /\b(?:FCA|FRN|Financial Conduct Authority)\b/;

/** Below the main button of a phone, whose footer is out of sight. */
export const regulatorLine = (words: Words, frame: PageFrame): Html => html`
  <span class="regulator narrow">
    ${icons.lock}
    <span>${regulator(frame) ?? words.say('serviceBy', { operator: frame.operatorName })}</span>
  </span>
`;
