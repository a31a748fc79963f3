const secondMs = 1000;

/** Returns to the merchant by itself, unless the payer wants to stay and read. */
const runReturn = (): void => {
  const box = document.querySelector<HTMLElement>('[data-return-in]');
  const link = document.querySelector<HTMLAnchorElement>('[data-return]');
  if (!box || !link) return;
  const leaving = setTimeout(
    () => location.assign(link.href),
    Number(box.dataset.returnIn) * secondMs,
  );
  const stay = (): void => {
    clearTimeout(leaving);
    box.hidden = true;
  };
  box.querySelector('[data-stay]')?.addEventListener('click', (event) => {
    event.preventDefault();
    stay();
    document.querySelector('h1')?.focus();
  });
  addEventListener('beforeprint', stay);
};

export const runReceipt = (): void => {
  document.querySelector('[data-print]')?.addEventListener('click', () => print());
  runReturn();
};
