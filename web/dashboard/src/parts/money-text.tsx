import type { ReactNode } from 'react';
import { writePounds } from './write-pounds.ts';

type MoneyTextProps = {
  /** Pounds, as on the wire. */
  readonly pounds: number | null | undefined;
  /** A dash where there is none. */
  readonly isSoft?: boolean;
};

/** An amount in figures of one width, so that columns of them line up. */
export const MoneyText = ({ pounds, isSoft = false }: MoneyTextProps): ReactNode => (
  <span className={isSoft || pounds == null ? 'figures soft' : 'figures'}>
    {pounds == null ? '–' : writePounds(pounds)}
  </span>
);
