/** A copy of a link, and the phone's own way to share it where there is one. */
export const runShare = (): void => {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]'))
    button.addEventListener('click', () => copy(button));
  if (typeof navigator.share !== 'function') return;
  for (const button of document.querySelectorAll<HTMLElement>('[data-share]')) {
    button.hidden = false;
    const { share: url = '' } = button.dataset;
    // A payer who closes the phone's list has not failed.
    button.addEventListener('click', () => navigator.share({ url }).catch(() => undefined));
  }
};

const copy = (button: HTMLElement): void => {
  const { copy: url = '', copied = '' } = button.dataset;
  const said = button.nextElementSibling;
  const shown = (): void => {
    button.textContent = copied;
    if (said) said.textContent = copied;
  };
  navigator.clipboard?.writeText(url).then(shown, () => undefined);
};
