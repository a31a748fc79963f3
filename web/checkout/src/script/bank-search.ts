import { searchBanks } from '../search-banks.ts';

type Row = {
  readonly element: HTMLElement;
  readonly home: ParentNode & Node;
  readonly kind: string;
  readonly name: string;
  readonly fullName: string;
  readonly aliases: readonly string[];
};

const rowOf = (element: HTMLElement): Row => {
  const { kind = 'both', name = '', full, also = '' } = element.dataset;
  return {
    element,
    home: element.parentElement ?? document.body,
    kind,
    name,
    fullName: full ?? name,
    aliases: also === '' ? [] : also.split('|'),
  };
};

const hideAll = (elements: readonly HTMLElement[], isHidden: boolean): void => {
  for (const element of elements) element.hidden = isHidden;
};

const part = (name: string): HTMLElement | null => document.querySelector(`[data-${name}]`);

/**
 * Matches move into one list, the likeliest first; without a search each returns to its own list.
 */
export const runBankSearch = (): void => {
  const [form, found, empty, count] = ['search', 'found', 'empty', 'count'].map(part);
  const groups = [...document.querySelectorAll<HTMLElement>('[data-groups]')];
  const input = form?.querySelector<HTMLInputElement>('input[type=search]');
  if (!form || !input || !found || !empty || !count) return;
  const rows = [...document.querySelectorAll<HTMLElement>('[data-groups] .bank')].map(rowOf);
  // The answer to a search without a script has its banks already.
  if (rows.length === 0) return;
  const list = document.createElement('ul');
  list.className = 'banks';
  found.append(list);

  const chosenKind = (): string =>
    document.querySelector<HTMLInputElement>('input[name=kind]:checked')?.value ?? 'all';

  const show = (): void => {
    const text = input.value.trim();
    const kind = chosenKind();
    const offered = rows.filter(
      (row) => kind === 'all' || row.kind === 'both' || row.kind === kind,
    );
    const isSearch = text !== '';
    const matches = isSearch ? searchBanks(offered, text) : offered;
    hideAll(groups, isSearch);
    if (isSearch) list.replaceChildren(...matches.map(({ element }) => element));
    else for (const { element, home } of rows) home.append(element);
    found.hidden = !isSearch;
    empty.hidden = matches.length > 0;
    const { one = '', count: many = '' } = count.dataset;
    const said = matches.length === 1 ? one : many.replace('#', String(matches.length));
    count.textContent = isSearch ? said.replace('@', () => text) : '';
  };
  // The first search prepares the names of all banks: before the first letter, not after it.
  input.addEventListener('focus', () => searchBanks(rows, input.placeholder), { once: true });
  form.parentElement?.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [first, second] = list.querySelectorAll('a');
    if (second) first?.focus();
    else (first ?? empty.querySelector<HTMLElement>('a:last-of-type'))?.click();
  });
  show();
};

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Up and down move from the search through the banks, as in a list; Tab still does too. */
export const runArrowKeys = (): void => {
  const search = document.querySelector<HTMLElement>('#search');
  search?.closest('.card')?.addEventListener('keydown', (event) => {
    const { key, target } = event as KeyboardEvent;
    const step = steps[key];
    if (step === undefined) return;
    const banks = [...document.querySelectorAll<HTMLElement>('.bank a')].filter(
      (each) => each.offsetParent !== null,
    );
    const at = banks.indexOf(target as HTMLElement);
    if (at < 0 && target !== search) return;
    event.preventDefault();
    (banks[at + step] ?? (step < 0 ? search : banks.at(-1)))?.focus();
  });
};
