const { page = '', home = '', version, events } = document.body.dataset;

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

/** Shows the payment as it is now, in place of this page: "back" must not lead to an old state. */
export const loadAnew = (): void => {
  if (isLeaving) return;
  remember();
  location.replace(home);
};

/** A bank's app may have opened over this page, which then stands here when the payer is back. */
export const comeBack = (): void => {
  isLeaving = false;
  loadAnew();
};

/** The list of banks is where a payer arrives: its heading is taken only after a change. */
export const focusHeading = (): void => {
  const isArrival = page === 'CHOOSE_BANK' && !wasRemembered();
  if (isArrival || page === 'FRAGMENT_RETURN') return;
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
  if (events === undefined) return;
  let known = version;
  const stream = new EventSource(events);
  stream.addEventListener('state', ({ data }) => {
    const told = versionIn(data);
    if (told === null) return;
    known ??= told;
    if (told !== known) loadAnew();
  });
  lookNowAndThen(() => stream.readyState === EventSource.OPEN);
  addEventListener('pagehide', () => stream.close());
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) loadAnew();
  });
};
