import { useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { Environment } from '../call/tenant.ts';
import { DayField } from './day-field.tsx';
import { FilterBar, FilterGroup } from './filter-bar.tsx';
import { AmountField, ChoiceBar, ChoiceMenu, OneChoice, SearchField } from './filter-fields.tsx';
import { readSearch, type Search } from './filters.ts';
import { writePounds } from './numbers.ts';
import { dayOf, now, writeDay, writeSpan } from './times.ts';

export type FilterField<Value> = {
  readonly chosen: Value | undefined;
  readonly choose: (value: Value | undefined) => void;
  /** Of all filters of the page. */
  readonly all: Readonly<Record<string, unknown>>;
};

/** One thing that a page reads of its address, and the field that changes it, if there is one. */
export type Filter<Value> = {
  readonly read: (search: Search, name: string) => Value | undefined;
  readonly field?: (field: FilterField<Value>) => ReactNode;
  /** On a phone too: the search. */
  readonly isInView?: boolean;
  /** Its field is for phones only: it filters nothing. */
  readonly isOnPhone?: boolean;
  /** Its fields and those beside it with the same group are behind one button, which says what is chosen. */
  readonly group?: string;
};

type FiltersOf<Values> = { readonly [Name in keyof Values]: Filter<Values[Name]> };
type Chosen<Values> = { readonly [Name in keyof Values]: Values[Name] | undefined };
type Paged = { readonly page?: number | undefined };

/** What is chosen of the filters of a page. */
export type ChosenOf<Filters> = {
  readonly [Name in keyof Filters]: Filters[Name] extends Filter<infer Value>
    ? Value | undefined
    : never;
};

/**
 * What a page reads of its address, and how that changes: another choice begins at the first page again. So
 * a view can be shared, and the way back of the browser leads to the choice before.
 */
export const useFilters = <Values extends object>(
  of: FiltersOf<Values>,
  { replace = false } = {},
) => {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const names = Object.keys(of) as (keyof Values & string)[];
  const filters = Object.fromEntries(
    names.map((name) => [name, of[name].read(search, name)]),
  ) as Chosen<Values>;
  const change = (changes: Partial<Chosen<Values>> | Paged): void =>
    void navigate({
      to: '.',
      search: (current: object) =>
        ({ ...current, page: undefined, before: undefined, ...changes }) as never,
      replace: replace && !('page' in changes),
    });
  const fieldOf = (name: keyof Values & string) => (
    <Fragment key={name}>
      {of[name].field?.({
        chosen: filters[name],
        choose: (value) => change({ [name]: value } as Partial<Chosen<Values>>),
        all: filters,
      })}
    </Fragment>
  );
  const fieldsOf = (some: readonly (keyof Values & string)[]) =>
    some.map((name) => {
      const { group } = of[name];
      if (!group) return fieldOf(name);
      const ends = some.filter((each) => of[each].group === group);
      if (ends[0] !== name) return null;
      const [low, high] = ends.map((each) => filters[each]);
      return (
        <FilterGroup key={group} label={group} says={writeRange(low, high)}>
          {ends.map(fieldOf)}
        </FilterGroup>
      );
    });
  const shown = names.filter((name) => of[name].field);
  const [others, onPhone] = [false, true].map((isOnPhone) =>
    shown.filter((name) => !of[name].isInView && Boolean(of[name].isOnPhone) === isOnPhone),
  ) as [typeof shown, typeof shown];
  const toolbar = (
    <FilterBar
      first={fieldsOf(shown.filter((name) => of[name].isInView))}
      others={fieldsOf(others)}
      onPhone={fieldsOf(onPhone)}
      onClear={() =>
        change(
          Object.fromEntries([...others, ...onPhone].map((name) => [name, undefined])) as Partial<
            Chosen<Values>
          >,
        )
      }
      count={others.filter((name) => filters[name] !== undefined).length}
    />
  );
  return {
    filters,
    change,
    /** The fields of the filters, in their order. */
    toolbar,
    isFiltered: names.some((name) => !of[name].isOnPhone && filters[name] !== undefined),
    page: readSearch.page(search) ?? 1,
    onPage: (page: number): void => change({ page }),
  };
};

const writeEnd = (end: unknown): string =>
  typeof end === 'number' ? writePounds(end).replace('.00', '') : writeDay(String(end));

/** Without years where it is clear which: both of this one, or less than a year that ends in it. */
const writeDays = (from: string, to: string): string => {
  const year = Number(dayOf(now()).slice(0, 4));
  const years = year - Number(from.slice(0, 4));
  const isShort = years === 0 || (years === 1 && from.slice(4, 7) > to.slice(4, 7));
  const isClear = isShort && to.startsWith(`${year}-`);
  return writeSpan({ from, to }).replace(isClear ? / \d{4}/g : ` ${year}`, '');
};

/** "£20 to £100", "from 1 Mar 2026"; nothing where neither end is chosen. */
const writeRange = (low: unknown, high: unknown): string => {
  if (low === undefined) return high === undefined ? '' : `up to ${writeEnd(high)}`;
  if (high === undefined) return `from ${writeEnd(low)}`;
  if (typeof low === 'string') return writeDays(low, String(high));
  return low === high ? writeEnd(low) : `${writeEnd(low)} to ${writeEnd(high)}`;
};

type Words<Choice extends string> = Readonly<Record<Choice, string>>;

export const searchFor = (label: string): Filter<string> => ({
  read: readSearch.text,
  isInView: true,
  field: ({ chosen = '', choose }) => (
    <SearchField label={label} value={chosen} onSearch={(text) => choose(text || undefined)} />
  ),
});

export const oneOf = <Choice extends string>(
  label: string,
  words: Words<Choice>,
): Filter<Choice> => ({
  read: (search, name) => readSearch.choice(search, name, words),
  field: ({ chosen, choose }) => (
    <OneChoice label={label} words={words} chosen={chosen} onChoose={choose} />
  ),
});

export const someOf = <Choice extends string>(
  label: string,
  words: Words<Choice>,
): Filter<readonly Choice[]> => ({
  read: (search, name) => readSearch.choices(search, name, words),
  field: ({ chosen = [], choose }) => (
    <ChoiceMenu
      label={label}
      words={words}
      chosen={chosen}
      onChoose={(several) => choose(several.length > 0 ? several : undefined)}
    />
  ),
});

/** One of a few, all in view. The address does not name the one that is chosen at first. */
export const oneOfFew = <Choice extends string>(
  label: string,
  words: Words<Choice>,
  atFirst: NoInfer<Choice>,
): Filter<Choice> => ({
  read: (search, name) => readSearch.choice(search, name, words),
  field: ({ chosen = atFirst, choose }) => (
    <ChoiceBar
      label={label}
      words={words}
      chosen={chosen}
      onChoose={(next) => choose(next === atFirst ? undefined : next)}
    />
  ),
});

const environments: Words<Environment> = { sandbox: 'Sandbox', production: 'Production' };

/** Of a page of the operator that shows one environment. */
export const inEnvironment = {
  environment: oneOfFew('Environment', environments, 'sandbox'),
};

export const onDay = (label: string): Filter<string> => ({
  read: readSearch.day,
  field: ({ chosen, choose }) => <DayField label={label} value={chosen} onDay={choose} />,
});

export const amountLimit = (label: string): Filter<number> => ({
  group: 'Amount',
  read: readSearch.pounds,
  field: ({ chosen, choose }) => <AmountField label={label} value={chosen} onAmount={choose} />,
});

const dayIn = (all: Readonly<Record<string, unknown>>, name: string) => readSearch.day(all, name);

/** The first and the last day: neither goes past the other. */
export const inPeriod = {
  from: {
    group: 'Date',
    read: readSearch.day,
    field: ({ chosen, choose, all }) => (
      <DayField label="From day" value={chosen} max={dayIn(all, 'to')} onDay={choose} />
    ),
  },
  to: {
    group: 'Date',
    read: readSearch.day,
    field: ({ chosen, choose, all }) => (
      <DayField label="To day" value={chosen} min={dayIn(all, 'from')} onDay={choose} />
    ),
  },
} satisfies FiltersOf<{ from: string; to: string }>;

/** The same where rows have several dates: of which one it is. */
export const inPeriodOf = (group: string) => ({
  from: { ...inPeriod.from, group },
  to: { ...inPeriod.to, group },
});

/** What a link to the page says, and what no field changes. */
export const inAddress = {
  text: { read: readSearch.text } as Filter<string>,
  pounds: { read: readSearch.pounds } as Filter<number>,
  longText: { read: (search, name) => readSearch.text(search, name, 2_000) } as Filter<string>,
  choice: <Choice extends string>(words: Words<Choice>): Filter<Choice> => ({
    read: (search, name) => readSearch.choice(search, name, words),
  }),
  matching: (pattern: RegExp): Filter<string> => ({
    read: (search, name) => readSearch.matching(search, name, pattern),
  }),
};

/** Where a page of a list begins, where that is a number. */
export const beforeNumber = { before: inAddress.matching(/^\d{1,18}$/) };
