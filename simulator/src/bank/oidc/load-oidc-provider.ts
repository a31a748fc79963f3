type OidcProvider = typeof import('oidc-provider');

let loaded: OidcProvider | undefined;

// oidc-provider warns about Node 20 while it loads; we run the versions that its own tests passed on.
export const loadOidcProvider = async (): Promise<OidcProvider> => {
  if (loaded) return loaded;
  const { warn } = console;
  console.warn = () => {};
  try {
    loaded = await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
  return loaded;
};
