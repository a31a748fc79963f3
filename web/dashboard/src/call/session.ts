import { openSignal } from './signal.ts';

/** Whether the server has said that the session ended, until somebody signs in again. */
export const sessionEnd = openSignal(false);

/** The sign-in is a page of its own, outside the application. */
export const signInAddress = '/dashboard/sign-in';

/** Back to the page in view afterwards. */
export const goToSignIn = (): void => {
  const next = location.href.slice(location.origin.length).replace(/^\/dashboard/, '');
  location.assign(`${signInAddress}?${new URLSearchParams({ next })}`);
};
