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

const penceEach = (fields: FormData, bill: number): number => {
  const people = Number(fields.get('people'));
  return people >= 2 ? Math.ceil(bill / people) : 0;
};

/** The pounds beside each percentage follow the share; of one that cannot be paid there are none. */
const showTips = (form: HTMLFormElement, share: number | null, pounds: Pounds): void => {
  for (const input of form.querySelectorAll<HTMLInputElement>('[data-percent]')) {
    const shown = input.parentElement?.querySelector('[data-pounds]');
    const pence = Math.floor(((share ?? 0) * Number(input.dataset.percent) + 50) / 100);
    if (shown) shown.textContent = share === null ? '' : pounds(pence);
  }
};

const showEach = (form: HTMLFormElement, pence: number, pounds: Pounds): void => {
  const each = form.querySelector<HTMLElement>('[data-each]');
  const { each: text = '' } = each?.dataset ?? {};
  if (each) each.textContent = pence > 0 ? text.replace('#', pounds(pence)) : '';
};

type Pounds = (pence: number) => string;

const runSteppers = (form: HTMLFormElement): void => {
  for (const button of form.querySelectorAll<HTMLElement>('[data-step]'))
    button.addEventListener('click', () => {
      const field = button.parentElement?.querySelector('input');
      if (button.dataset.step === '1') field?.stepUp();
      else field?.stepDown();
      field?.dispatchEvent(new Event('input', { bubbles: true }));
    });
};

/** Shows the total while the payer chooses. Without a script the next page shows it. */
export const runAmounts = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-amounts]');
  const said = form?.querySelector<HTMLElement>('[data-sum]');
  if (!form || !said) return;
  const { sum = '', zero = '' } = said.dataset;
  const poundsOf = (amount: number): string => {
    const [pounds, pence] = (amount / 100).toFixed(2).split('.');
    return zero.replace(/0([.,])00/, `${pounds}$1${pence}`);
  };
  const show = (): void => {
    const fields = new FormData(form);
    const [left, bill] = [Number(form.dataset.left), Number(form.dataset.bill)];
    const wanted = form.dataset.split === undefined ? bill : sharePence(fields, left, bill);
    const share = wanted !== null && wanted <= left ? wanted : null;
    const tip = share === null ? null : tipPence(form, fields, share);
    const isKnown = share !== null && tip !== null && tip <= share * maxTipFactor;
    said.textContent = isKnown ? sum.replace('#', poundsOf(share + tip)) : '';
    showTips(form, share, poundsOf);
    showEach(form, penceEach(fields, bill), poundsOf);
  };
  runSteppers(form);
  form.addEventListener('input', show);
  document.addEventListener('renewed', ({ detail }: CustomEventInit<Document>) => {
    const now = detail?.querySelector<HTMLElement>('[data-amounts]')?.dataset.left;
    if (now !== undefined) form.dataset.left = now;
    show();
  });
  show();
};
