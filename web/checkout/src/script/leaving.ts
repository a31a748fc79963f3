import { pauseReloads, resumeReloads } from './follow-changes.ts';

/** Starting is a change that every open page receives; this page is leaving and must ignore it. */
const pauseReloadsWhileLeaving = (): void => {
  pauseReloads();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') resumeReloads();
  });
};

let hasLeft = false;

/** The button shows where it leads; a second press of any button starts nothing. */
const runStart = (form: HTMLFormElement): void => {
  const button = form.querySelector<HTMLElement>('[data-leaving]');
  const label = button?.querySelector('span') ?? null;
  if (!button || !label) return;
  const fields = form.querySelector<HTMLInputElement>('[name=fields]');
  if (fields) {
    fields.disabled = false;
    if (matchMedia('(prefers-color-scheme: dark)').matches) fields.value = 'dark';
  }
  form.addEventListener('submit', (event) => {
    if (hasLeft) return event.preventDefault();
    hasLeft = true;
    pauseReloadsWhileLeaving();
    const leaving = button.dataset.leaving ?? '';
    label.textContent = leaving;
    button.setAttribute('aria-disabled', 'true');
    const said = document.querySelector('[data-leaving-said]');
    if (said) said.textContent = leaving;
  });
  if (form.dataset.postsItself !== undefined) form.requestSubmit();
};

export const runLeaving = (): void => {
  for (const start of document.querySelectorAll<HTMLFormElement>('[data-start]')) runStart(start);
  document.querySelector('[data-more-time]')?.addEventListener('submit', pauseReloads);
};
