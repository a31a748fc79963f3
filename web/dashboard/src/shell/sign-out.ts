/** Ends the session. Where the server is out of reach the page still shows nothing more. */
export const signOut = async (): Promise<void> => {
  await fetch('/dashboard/auth/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'florin-dashboard': '1' },
    body: '{}',
    credentials: 'same-origin',
  }).catch(() => undefined);
};
