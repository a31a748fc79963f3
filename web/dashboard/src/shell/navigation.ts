import type { IconName } from '../design/icon.tsx';

export type NavigationItem = {
  readonly title: string;
  /** Below the merchant and environment. */
  readonly path: string;
  readonly icon: IconName;
  /** Who lacks it does not see the item; the server refuses the page's calls in any case. */
  readonly permission: string;
};

export type NavigationGroup = {
  readonly title: string;
  readonly items: readonly NavigationItem[];
};

/** The menu of a merchant's pages, in order. */
export const navigation: readonly NavigationGroup[] = [];
