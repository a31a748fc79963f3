const { page = '', home = '', look, version, events } = document.body.dataset;

const pollMs = 15_000;
const reloadedKey = 'florin-came-by-change';

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

/** From here on the way to the bank may not be cut, whatever changes because of it. */
export const pauseReloads = (): void => {
  isLeaving = true;
};

let isNavigating = false;
let isOutdated = false;
const maxNavigationMs = 30_000;

/** Shows the payment as it is now, in place of this page: "back" must not lead to an old state. */
export const reloadPayment = (): void => {
  isOutdated = isNavigating;
  if (isLeaving || isNavigating) return;
  rememberReload();
  location.replace(home);
};

/** On a slow line the next page takes a while: a change elsewhere must not turn the payer back. */
const trackNavigation = (): void => {
  addEventListener('beforeunload', () => {
    isNavigating = true;
    setTimeout(() => {
      isNavigating = false;
      if (isOutdated) reloadPayment();
    }, maxNavigationMs);
  });
};

/** A bank's app may have opened over this page, which then stands here when the payer is back. */
export const resumeReloads = (): void => {
  isLeaving = false;
  reloadPayment();
};

/**
 * Of a bill that others pay too, only the figures change: they are renewed in place, so that nothing
 * typed and no focus is lost. Where the step itself is another one now, that is shown.
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

/** Where a payer arrives, the heading is taken only after a change, and never from a field at fault. */
export const focusHeading = (): void => {
  const isArrival = arrivals.includes(page) && !takeRememberedReload();
  if (isArrival || page === 'FRAGMENT_RETURN' || document.querySelector('[autofocus]')) return;
  takeRememberedReload();
  document.querySelector('h1')?.focus({ preventScroll: true });
};

const versionIn = (data: unknown): string | null => {
  try {
    const told: unknown = JSON.parse(String(data));
    return typeof told === 'object' && told !== null && 'version' in told
      ? String(told.version)
      : null;
  } catch {
    return null;
  }
};

/** Where the stream of events cannot be had, a page that waits looks again by itself. */
const pollWhileWaiting = (isOpen: () => boolean): void => {
  if (page !== 'WAITING') return;
  setInterval(() => {
    if (!isOpen() || version === undefined) reloadPayment();
  }, pollMs);
};

export const followChanges = (): void => {
  trackNavigation();
  if (events === undefined) return;
  let known = version;
  const stream = new EventSource(events);
  stream.addEventListener('state', ({ data }) => {
    const told = versionIn(data);
    if (told === null) return;
    known ??= told;
    if (told === known) return;
    known = told;
    if (look === undefined) reloadPayment();
    else if (!isLeaving) refreshAmounts();
  });
  pollWhileWaiting(() => stream.readyState === EventSource.OPEN);
  addEventListener('pagehide', () => stream.close());
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) reloadPayment();
  });
};
