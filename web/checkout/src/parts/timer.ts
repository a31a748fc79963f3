import { clockText } from '../clock-text.ts';
import { type Html, html } from '../html/html.ts';
import { formatDate, formatDuration, formatTimeOrDateTime } from '../language/format.ts';
import type { Page } from './page.ts';

/** Announced at these seconds only: a timer that announces each second drowns out the page. */
const announcedSeconds = [60, 30, 20] as const;
const countedBelowSeconds = 3600;
/** A clock that runs from the start presses; before, the time at which it ends is enough. */
const clockShownBelowSeconds = 600;

/** When to pay: the running clock with a script, the time without one or when it is far away. */
export const timer = (page: Page): Html | null => {
  const left = secondsLeft(page.summary);
  if (left === null || left >= countedBelowSeconds)
    return html`<p class="timer">${payBefore(page)}</p>`;
  const texts = announcedSeconds.map(
    (seconds) => html` data-say-${seconds}="${announcement(page, seconds)}"`,
  );
  const isCalm = left >= clockShownBelowSeconds;
  return html`
    <p class="timer" data-timer data-left="${left}"${isCalm && html` data-calm`}${texts}>
      <span class="unscripted">${payBefore(page)}</span>
      <span class="scripted" aria-hidden="true">
        ${page.words.say('timeLeft', { time: html`<strong data-clock>${clockText(left)}</strong>` })}
      </span>
      <span class="unseen" role="status" data-said></span>
    </p>
  `;
};

const secondsLeft = ({ expiresAt, now }: Page['summary']): number | null => {
  const left = (Date.parse(expiresAt) - Date.parse(now)) / 1000;
  return Number.isFinite(left) ? Math.max(0, Math.floor(left)) : null;
};

const announcement = ({ words, summary }: Page, seconds: number): string => {
  const left = words.plain('timeLeft', { time: formatDuration(words.locale, seconds) });
  return seconds <= 30 && summary.moreTime ? `${left}. ${words.plain('moreTimePrompt')}` : left;
};

/** "Today" is said: a time alone looks like a clock that runs. */
const payBefore = ({ words, summary: { expiresAt, now } }: Page): Html => {
  const time = formatTimeOrDateTime(words.locale, expiresAt, now);
  const isToday = formatDate(words.locale, expiresAt) === formatDate(words.locale, now);
  return words.say(isToday ? 'payToday' : 'payBefore', {
    time: html`<strong><time datetime="${expiresAt}">${time}</time></strong>`,
  });
};

/** Beside the clock. Without script it is always there; with script from 30 seconds before the end. */
export const moreTime = (
  page: Page,
  institutionId: string | null = null,
  way?: 'card',
): Html | null => {
  const { words, summary, fields: known } = page;
  if (!summary.moreTime) return null;
  const fields = [
    ...known,
    ['formToken', summary.moreTime.formToken] as const,
    ...(way === undefined ? [] : [['way', way] as const]),
    ...(institutionId === null ? [] : [['institutionId', institutionId] as const]),
  ];
  return html`
    <form class="more-time" method="post" action="/pay/more-time" data-more-time>
      ${hiddenFields(fields)}
      <span class="scripted" aria-hidden="true">
        ${words.say('timeLeft', { time: html`<strong data-clock></strong>` })}
      </span>
      <button>${words.say('moreTimeButton')}</button>
    </form>
  `;
};

export const hiddenFields = (fields: readonly (readonly [string, string])[]): readonly Html[] =>
  fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
