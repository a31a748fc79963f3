const { page = '', home = '', look, version, events } = document.body.dataset;

const pollMs = 15_000;
const reloadedKey = 'florin-came-by-change';

export const followChanges = (): void => {
  trackNavigation();
  if (events === undefined) return;
  let known = version;
  const stream = new EventSource(events);
  stream.addEventListener('state', ({ data }) => {
    const received = versionIn(data);
    if (received === null) return;
    known ??= received;
    if (received === known) return;
    known = received;
    if (look === undefined) reloadPayment();
    else if (!isLeaving) refreshAmounts();
  });
  pollWhileWaiting(() => stream.readyState === EventSource.OPEN);
  addEventListener('pagehide', () => stream.close());
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) reloadPayment();
  });
};

// Storage may be forbidden by the browser; the page works without it.
const rememberReload = (): void => {
  try {
    sessionStorage.setItem(reloadedKey, page);
  } catch {}
};

const takeRememberedReload = (): boolean => {
  try {
    const is = sessionStorage.getItem(reloadedKey) !== null;
    sessionStorage.removeItem(reloadedKey);
    return is;
  } catch {
    return false;
  }
};

let isLeaving = false;

/** A change must not interrupt the way to the bank. */
export const pauseReloads = (): void => {
  isLeaving = true;
};

let isNavigating = false;
let isOutdated = false;
const maxNavigationMs = 30_000;

/** Replaces this page by the current state: "back" must not lead to an old one. */
export const reloadPayment = (): void => {
  isOutdated = isNavigating;
  if (isLeaving || isNavigating) return;
  rememberReload();
  location.replace(home);
};

/** A change elsewhere must not turn the payer back while the next page is loading. */
const trackNavigation = (): void => {
  addEventListener('beforeunload', () => {
    isNavigating = true;
    setTimeout(() => {
      isNavigating = false;
      if (isOutdated) reloadPayment();
    }, maxNavigationMs);
  });
};

/** A bank's app may have opened over this page, which is visible again when the payer is back. */
export const resumeReloads = (): void => {
  isLeaving = false;
  reloadPayment();
};

/**
 * Refreshes the amounts of a split bill in place, so that input and focus are not lost. Reloads if the
 * step has changed.
 */
const refreshAmounts = (): void => {
  const request = new XMLHttpRequest();
  request.responseType = 'document';
  request.addEventListener('load', () => {
    const now = request.responseXML;
    const { page: nowPage, look: nowLook } = now?.body.dataset ?? {};
    if (now === null || nowPage !== page || nowLook !== look) return reloadPayment();
    for (const shown of document.querySelectorAll<HTMLElement>('[data-live]')) {
      const text = now.querySelector(`[data-live="${shown.dataset.live}"]`)?.textContent;
      if (text && text !== shown.textContent) shown.textContent = text;
    }
    document.dispatchEvent(new CustomEvent('renewed', { detail: now }));
  });
  request.addEventListener('error', reloadPayment);
  request.open('GET', home);
  request.send();
};

const arrivals = ['CHOOSE_BANK', 'CHOOSE_AMOUNT'];

/**
 * Focuses the heading: on an entry page only after a change, never instead of a wrong field, and never
 * away from where the payer already types or what the address points to.
 */
export const focusHeading = (): void => {
  const isArrival = arrivals.includes(page) && !takeRememberedReload();
  if (isArrival || page === 'FRAGMENT_RETURN' || document.querySelector('[autofocus]')) return;
  takeRememberedReload();
  if (document.activeElement !== document.body || document.querySelector(':target')) return;
  document.querySelector('h1')?.focus({ preventScroll: true });
};

const versionIn = (data: unknown): string | null => {
  try {
    const received: unknown = JSON.parse(String(data));
    return typeof received === 'object' && received !== null && 'version' in received
      ? String(received.version)
      : null;
  } catch {
    return null;
  }
};

/** A waiting page polls when it has no stream of events. */
const pollWhileWaiting = (isOpen: () => boolean): void => {
  if (page !== 'WAITING') return;
  setInterval(() => {
    if (!isOpen() || version === undefined) reloadPayment();
  }, pollMs);
};

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
