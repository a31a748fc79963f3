/** Cookies of one visit to one bank; nothing is stored longer. */
export const cookieJar = () => {
  const cookies = new Map<string, string>();
  return {
    store: (setCookie: string | readonly string[] | undefined): void => {
      for (const line of [setCookie ?? []].flat()) {
        const [pair = ''] = line.split(';');
        const at = pair.indexOf('=');
        const name = pair.slice(0, at).trim();
        const value = pair.slice(at + 1).trim();
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
    },
    headerFor: (): { readonly cookie?: string } =>
      cookies.size === 0
        ? {}
        : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  };
};
