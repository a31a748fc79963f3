/** The phone's own way to share a link, else a copy of it. */
export const runShare = (): void => {
  for (const button of document.querySelectorAll<HTMLElement>('[data-share]'))
    button.addEventListener('click', () => share(button));
};

const share = (button: HTMLElement): void => {
  const { share: url = '', copied = '' } = button.dataset;
  // A payer who closes the phone's list has not failed.
  const canShare = typeof navigator.share === 'function';
  if (canShare) return void navigator.share({ url }).catch(() => undefined);
  const label = button.firstElementChild;
  const shown = (): void => {
    if (label) label.textContent = copied;
  };
  navigator.clipboard?.writeText(url).then(shown, () => undefined);
};
