import type { Clock } from '#simulator/system-clock.ts';
import type { CardStore } from './card-store.ts';
import type { Circumstances } from './rules/authorise.ts';

export type CardSecrets = {
  readonly secretKey: string;
  // Public: a page names with it the account whose fields it shows.
  readonly publishableKey: string;
  readonly webhookSecret: string;
  readonly fingerprintSecret: string;
};

export type CardTools = {
  readonly store: CardStore;
  readonly clock: Clock;
  readonly random: Circumstances['random'];
  readonly secrets: CardSecrets;
  // The address of the hosted pages for the customer's browser.
  readonly pagesUrl: string;
};
