import { peopleUrl } from '#platform/config.ts';
import type { Uses } from '#platform/tools.ts';

/** Passkeys need a name: browsers take none for an address in numbers. */
export const dashboardUrlOf = ({ config }: Uses<'config'>, url: string): string =>
  `${peopleUrl(config) ?? url.replace('//127.0.0.1', '//localhost')}/dashboard`;
