const secondMs = 1000;

/** What a payer does who reads on. */
const readings = ['scroll', 'beforeprint', 'pagehide'];

/** Returns to the merchant by itself, unless the payer stays and reads. */
const runReturn = (): void => {
  const box = document.querySelector<HTMLElement>('[data-return-in]');
  const link = document.querySelector<HTMLAnchorElement>('[data-return]');
  if (!box || !link) return;
  const leaving = setTimeout(
    () => location.assign(link.href),
    Number(box.dataset.returnIn) * secondMs,
  );
  // What is below keeps its place.
  const stay = (): void => {
    clearTimeout(leaving);
    box.style.visibility = 'hidden';
  };
  box.querySelector('[data-stay]')?.addEventListener('click', (event) => {
    event.preventDefault();
    stay();
    document.querySelector('h1')?.focus();
  });
  document.querySelector('[download]')?.addEventListener('click', stay);
  for (const reading of readings) addEventListener(reading, stay);
};

export const runReceipt = (): void => {
  document.querySelector('[data-print]')?.addEventListener('click', () => print());
  runReturn();
};
