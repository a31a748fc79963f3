import { clockText } from '../clock-text.ts';
import { reloadPayment } from './follow-changes.ts';

const announcedSeconds = [20, 30, 60];
const offerFromSeconds = 30;
const clockFromSeconds = 600;
const stepMs = 250;
const retryMs = 5_000;

const offerMoreTime = (timer: HTMLElement): void => {
  timer.dataset.due = '';
  const form = document.querySelector<HTMLElement>('[data-more-time]');
  if (form) form.dataset.due = '';
};

const showClocks = (left: number): void => {
  for (const clock of document.querySelectorAll('[data-clock]'))
    clock.textContent = clockText(left);
};

/**
 * Counts from the server's remaining time, so the payer's wrong clock does no harm. At the end the
 * server is polled: it alone knows whether the payment has expired.
 */
export const runTimer = (): void => {
  const timer = document.querySelector<HTMLElement>('[data-timer]');
  const said = timer?.querySelector<HTMLElement>('[data-said]');
  if (!timer || !said) return;
  const startedAt = Date.now();
  const atFirst = Number(timer.dataset.left);
  let last = atFirst + 1;
  const step = (): void => {
    const left = Math.max(0, Math.ceil(atFirst - (Date.now() - startedAt) / 1000));
    if (left === last) return;
    showClocks(left);
    const passed = announcedSeconds.find((at) => left <= at && at < last);
    if (passed !== undefined) said.textContent = timer.getAttribute(`data-say-${passed}`);
    if (left < clockFromSeconds) delete timer.dataset.calm;
    if (left <= offerFromSeconds) offerMoreTime(timer);
    last = left;
    if (left > 0) return;
    clearInterval(running);
    setTimeout(reloadPayment, atFirst > 0 ? stepMs : retryMs);
  };
  const running = setInterval(step, stepMs);
  step();
};
