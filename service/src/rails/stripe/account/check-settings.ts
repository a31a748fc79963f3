import type { StripeSettings } from './settings.ts';

const keyKinds = { PRODUCTION: /^(sk|rk)_live_\S+$/, SANDBOX: /^(sk|rk)_test_\S+$/ } as const;

/** The errors, in sentences that show no secret; live and test keys are never mixed. */
export const checkSettings = (settings: StripeSettings): readonly string[] => {
  const { environment, secretKey, webhookSecret, apiUrl } = settings;
  const isProduction = environment === 'PRODUCTION';
  const wrong: string[] = [];
  if (!keyKinds[environment].test(secretKey))
    wrong.push(`The card processor's secret key is not one of the ${environment} environment.`);
  if (!/^whsec_\S{8,}$/.test(webhookSecret))
    wrong.push("The card processor's webhook secret does not begin with whsec_.");
  if (isProduction && apiUrl !== undefined)
    wrong.push('Production speaks to the real card processor only: no address may be set.');
  if (apiUrl !== undefined && !isPlainAddress(apiUrl))
    wrong.push('The address of the simulated card processor must be scheme, host and port only.');
  return wrong;
};

const isPlainAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, pathname, search, hash, hostname } = new URL(address);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  const isBare = pathname === '/' && [username, password, search, hash].join('') === '';
  return isHttp && isBare && !/(^|\.)stripe\.com$/i.test(hostname);
};
