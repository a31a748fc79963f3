const secondMs = 1000;

/** A payer who waits longer than most learns so, without a reload. */
export const runSlow = (): void => {
  const said = document.querySelector<HTMLElement>('[data-slow-in]');
  if (!said) return;
  setTimeout(
    () => said.firstElementChild?.removeAttribute('hidden'),
    Number(said.dataset.slowIn) * secondMs,
  );
};
