const { page = '', home = '', look, version, events } = document.body.dataset;

const slowestLookMs = 15_000;
const cameByChange = 'florin-came-by-change';

// Storage may be forbidden by the browser; the page works without it.
const remember = (): void => {
  try {
    sessionStorage.setItem(cameByChange, page);
  } catch {}
};

const wasRemembered = (): boolean => {
  try {
    const is = sessionStorage.getItem(cameByChange) !== null;
    sessionStorage.removeItem(cameByChange);
    return is;
  } catch {
    return false;
  }
};

let isLeaving = false;

/** From here on the way to the bank may not be cut, whatever changes because of it. */
export const stayOut = (): void => {
  isLeaving = true;
};

let isOnTheWay = false;
let isBehind = false;
const longestWayMs = 30_000;

/** Shows the payment as it is now, in place of this page: "back" must not lead to an old state. */
export const loadAnew = (): void => {
  isBehind = isOnTheWay;
  if (isLeaving || isOnTheWay) return;
  remember();
  location.replace(home);
};

/** On a slow line the next page takes a while: a change elsewhere must not turn the payer back. */
const letGo = (): void => {
  addEventListener('beforeunload', () => {
    isOnTheWay = true;
    setTimeout(() => {
      isOnTheWay = false;
      if (isBehind) loadAnew();
    }, longestWayMs);
  });
};

/** A bank's app may have opened over this page, which then stands here when the payer is back. */
export const comeBack = (): void => {
  isLeaving = false;
  loadAnew();
};

/**
 * Of a bill that others pay too, only the figures change: they are renewed in place, so that nothing
 * typed and no focus is lost. Where the step itself is another one now, that is shown.
 */
const renewFigures = (): void => {
  const request = new XMLHttpRequest();
  request.responseType = 'document';
  request.addEventListener('load', () => {
    const now = request.responseXML;
    const { page: nowPage, look: nowLook } = now?.body.dataset ?? {};
    if (now === null || nowPage !== page || nowLook !== look) return loadAnew();
    for (const shown of document.querySelectorAll<HTMLElement>('[data-live]')) {
      const text = now.querySelector(`[data-live="${shown.dataset.live}"]`)?.textContent;
      if (text && text !== shown.textContent) shown.textContent = text;
    }
    document.dispatchEvent(new CustomEvent('renewed', { detail: now }));
  });
  request.addEventListener('error', loadAnew);
  request.open('GET', home);
  request.send();
};

const arrivals = ['CHOOSE_BANK', 'CHOOSE_AMOUNT'];

/** Where a payer arrives, the heading is taken only after a change, and never from a field at fault. */
export const focusHeading = (): void => {
  const isArrival = arrivals.includes(page) && !wasRemembered();
  if (isArrival || page === 'FRAGMENT_RETURN' || document.querySelector('[autofocus]')) return;
  wasRemembered();
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
const lookNowAndThen = (isOpen: () => boolean): void => {
  if (page !== 'WAITING') return;
  setInterval(() => {
    if (!isOpen() || version === undefined) loadAnew();
  }, slowestLookMs);
};

export const followChanges = (): void => {
  letGo();
  if (events === undefined) return;
  let known = version;
  const stream = new EventSource(events);
  stream.addEventListener('state', ({ data }) => {
    const told = versionIn(data);
    if (told === null) return;
    known ??= told;
    if (told === known) return;
    known = told;
    if (look === undefined) loadAnew();
    else if (!isLeaving) renewFigures();
  });
  lookNowAndThen(() => stream.readyState === EventSource.OPEN);
  addEventListener('pagehide', () => stream.close());
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) loadAnew();
  });
};
