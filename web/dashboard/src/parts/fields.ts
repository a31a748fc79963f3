import { type ChangeEvent, useState } from 'react';

type Typed = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What a field shows, and where what is typed or chosen in it goes. */
export const typing = (value: string, onType: (text: string) => void) => ({
  value,
  onChange: ({ currentTarget }: ChangeEvent<Typed>): void => onType(currentTarget.value),
});

/** The same of a box or a switch. */
export const ticking = (checked: boolean, onTick: (checked: boolean) => void) => ({
  checked,
  onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>): void =>
    onTick(currentTarget.checked),
});

/** What is typed into the form of an act. `begin` takes the values anew that it starts with. */
export const useTyped = <Typed extends object>(atFirst: Typed) => {
  const [typed, setTyped] = useState(atFirst);
  return {
    typed,
    type: (changes: Partial<Typed>): void => setTyped((before) => ({ ...before, ...changes })),
    begin: (): void => setTyped(atFirst),
  };
};

/** As a `ref`: of a form that has just been opened the first field has the focus. */
export const focusAtFirst = (field: HTMLElement | null): void => field?.focus();
