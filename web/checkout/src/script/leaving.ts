/** The button says that the bank is coming, and a second press starts nothing. */
export const runLeaving = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-start]');
  const button = form?.querySelector<HTMLElement>('[data-leaving]');
  const label = button?.querySelector('span');
  if (!form || !button || !label) return;
  let hasLeft = false;
  form.addEventListener('submit', (event) => {
    if (hasLeft) return event.preventDefault();
    hasLeft = true;
    const leaving = button.dataset.leaving ?? '';
    label.textContent = leaving;
    button.setAttribute('aria-disabled', 'true');
    const said = document.querySelector('[data-leaving-said]');
    if (said) said.textContent = leaving;
  });
  if (form.dataset.postsItself !== undefined) form.requestSubmit();
};
