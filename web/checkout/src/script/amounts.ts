import { plainAmount } from '../plain-amount.ts';

const maxTipFactor = 2;

const textOf = (fields: FormData, name: string): string => String(fields.get(name) ?? '');

const penceTyped = (typed: string): number | null => {
  const plain = plainAmount(typed);
  return /^\d{1,7}(?:\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : null;
};

/** The same rounding as the server's, which decides. */
const sharePence = (fields: FormData, left: number, bill: number): number | null => {
  const share = textOf(fields, 'share');
  if (share === 'rest') return left;
  if (share === 'custom') return penceTyped(textOf(fields, 'shareAmount'));
  if (share !== 'equal') return null;
  const [paysFor, people] = [Number(fields.get('paysFor')), Number(fields.get('people'))];
  const equal = Math.ceil((bill * paysFor) / people);
  return equal > left && equal - left < people ? left : equal;
};

const tipPence = (form: HTMLFormElement, fields: FormData, share: number): number | null => {
  const tip = textOf(fields, 'tip');
  if (tip === 'custom') return penceTyped(textOf(fields, 'customTip'));
  const chosen = form.querySelector<HTMLInputElement>('[name=tip]:checked');
  const { percent, pence } = chosen?.dataset ?? {};
  if (percent !== undefined) return Math.floor((share * Number(percent) + 50) / 100);
  return Number(pence ?? 0);
};

/** Shows the total while the payer chooses. Without a script the next page shows it. */
export const runAmounts = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-amounts]');
  const said = form?.querySelector<HTMLElement>('[data-sum]');
  if (!form || !said) return;
  const { sum = '', zero = '' } = said.dataset;
  const show = (): void => {
    const fields = new FormData(form);
    const [left, bill] = [Number(form.dataset.left), Number(form.dataset.bill)];
    const share = form.dataset.split === undefined ? bill : sharePence(fields, left, bill);
    const tip = share === null ? null : tipPence(form, fields, share);
    const isKnown = share !== null && tip !== null && share <= left && tip <= share * maxTipFactor;
    const [pounds, pence] = ((isKnown ? share + tip : 0) / 100).toFixed(2).split('.');
    const amount = zero.replace(/0([.,])00/, `${pounds}$1${pence}`);
    said.textContent = isKnown ? sum.replace('#', amount) : '';
  };
  form.addEventListener('input', show);
  document.addEventListener('renewed', ({ detail }: CustomEventInit<Document>) => {
    const now = detail?.querySelector<HTMLElement>('[data-amounts]')?.dataset.left;
    if (now !== undefined) form.dataset.left = now;
    show();
  });
  show();
};
