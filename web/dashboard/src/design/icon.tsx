import type { ReactNode } from 'react';

const shapes = {
  home: 'M3 11.5 12 4l9 7.5M5.5 10v10h13V10M10 20v-6h4v6',
  payments: 'M3 7h18v10H3zM3 11h18M7 14.5h3',
  refunds: 'M4 9h11a5 5 0 0 1 0 10H9M4 9l4-4M4 9l4 4',
  dispute: 'M12 4v16M6 20h12M5 8h14M5 8l-3 6h6zM19 8l-3 6h6z',
  key: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 12h9v3M17 12v3',
  statement: 'M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7',
  code: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2',
  webhook: 'M12 8a3 3 0 1 0-2.6-1.5L6 13M7 17a3 3 0 1 1-3-3M7 17h8M15 17a3 3 0 1 0 3-3l-3.5-6',
  delivery: 'M3 12 21 4l-6 16-4-7zM11 13l10-9',
  request: 'M5 8h14l-3-3M19 16H5l3 3',
  event: 'M13 3 5 14h6l-1 7 8-11h-6z',
  sandbox: 'M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M7.5 15h9',
  money: 'M4 6h16v12H4zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6M7 9v.1M17 15v.1',
  store: 'M4 10h16v10H4zM3 10l2-6h14l2 6M9 20v-6h6v6',
  page: 'M4 5h16v14H4zM4 9h16M7 13h6M7 16h10',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4',
  profile: 'M4 5h16v14H4zM9 13a2 2 0 1 0 0-4 2 2 0 0 0 0 4M6 16a3 3 0 0 1 6 0M15 10h3M15 14h3',
  audit: 'M7 4h10v17H7zM10 4V3h4v1M10 9l1 1 2-2M10 14l1 1 2-2',
  job: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l4 2',
  mail: 'M3 6h18v12H3zM3 7l9 6 9-6',
  ledger: 'M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM9 4v16M12 9h4M12 13h4',
  payouts: 'M4 20h16M6 20V10M10 20V10M14 20V10M18 20V10M3 10l9-6 9 6z',
  customers:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M3 20a6 6 0 0 1 12 0' +
    'M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14a6 6 0 0 1 3 6',
  links: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1',
  till: 'M4 14h16v6H4zM6 14l2-9h8l2 9M9 8h6M8 17h2',
  bankFeed: 'M4 6h16M4 12h10M4 18h13M18 10l3 2-3 2',
  developers: 'm8 7-5 5 5 5M16 7l5 5-5 5M14 4l-4 16',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2' +
    'M16.2 16.2l2.2 2.2M18.4 5.6l-2.2 2.2M7.8 16.2l-2.2 2.2',
  operator: 'M12 3 4 6v6c0 5 3.4 8 8 9 4.6-1 8-4 8-9V6zM9 12l2 2 4-4',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21a8 8 0 0 1 16 0',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M4 11.5h1v1H4zM11.5 11.5h1v1h-1zM19 11.5h1v1h-1z',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'm5 13 4 4L19 7',
  calendar: 'M4 6h16v14H4zM4 11h16M8 3v5M16 3v5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l5 5',
  columns: 'M4 5h16v14H4zM10 5v14M15 5v14',
  rows: 'M4 6h16M4 10h16M4 14h16M4 18h16',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  chevronDown: 'm6 9 6 6 6-6',
  chevronRight: 'm9 6 6 6-6 6',
  chevronLeft: 'm15 6-6 6 6 6',
  sun:
    'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5' +
    'M17.5 17.5 19 19M19 5l-1.5 1.5M6.5 17.5 5 19',
  plus: 'M12 5v14M5 12h14',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  warning: 'M12 4 2.5 20h19zM12 10v4M12 17v.5',
  filter: 'M3 5h18l-7 8v6l-4 2v-8z',
  star: 'm12 4 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z',
} as const;

export type IconName = keyof typeof shapes;

type IconProps = { readonly name: IconName; readonly size?: number };

/** A drawing beside a text that says the same: readers of the screen skip it. */
export const Icon = ({ name, size = 18 }: IconProps): ReactNode => (
  <svg
    aria-hidden="true"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={shapes[name]} />
  </svg>
);
