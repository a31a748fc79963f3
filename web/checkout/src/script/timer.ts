import { clockText } from '../clock-text.ts';
import { reloadPayment } from './follow-changes.ts';

const announcedSeconds = [20, 30, 60];
const offerFromSeconds = 30;
const stepMs = 250;
const retryMs = 5_000;

const offerMoreTime = (timer: HTMLElement): void => {
  timer.dataset.due = '';
  const form = document.querySelector<HTMLElement>('[data-more-time]');
  if (form) form.dataset.due = '';
};

/**
 * Counts from the server's remaining time, so the payer's wrong clock does no harm. At the end the
 * server is polled: it alone knows whether the payment has expired.
 */
export const runTimer = (): void => {
  const timer = document.querySelector<HTMLElement>('[data-timer]');
  const clock = timer?.querySelector<HTMLElement>('[data-clock]');
  const said = timer?.querySelector<HTMLElement>('[data-said]');
  if (!timer || !clock || !said) return;
  const startedAt = Date.now();
  const atFirst = Number(timer.dataset.left);
  let last = atFirst + 1;
  const step = (): void => {
    const left = Math.max(0, Math.ceil(atFirst - (Date.now() - startedAt) / 1000));
    if (left === last) return;
    clock.textContent = clockText(left);
    const passed = announcedSeconds.find((at) => left <= at && at < last);
    if (passed !== undefined) said.textContent = timer.getAttribute(`data-say-${passed}`);
    if (left <= offerFromSeconds) offerMoreTime(timer);
    last = left;
    if (left > 0) return;
    clearInterval(running);
    setTimeout(reloadPayment, atFirst > 0 ? stepMs : retryMs);
  };
  const running = setInterval(step, stepMs);
  step();
};
