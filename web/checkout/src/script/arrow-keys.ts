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
