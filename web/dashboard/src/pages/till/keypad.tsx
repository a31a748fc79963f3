import { type ReactNode, useEffect, useRef } from 'react';
import { writePoundsFromPence } from '../../parts/write-pounds.ts';
import { enterAmount, keyOf, keys } from './enter-amount.ts';
import classes from './till.module.css';

type KeypadProps = {
  readonly pence: number;
  readonly onChange: (pence: number) => void;
  /** Enter, where no button has the focus. */
  readonly onEnter: () => void;
};

/** The amount with large keys; a keyboard types it from anywhere but a field. */
export const Keypad = ({ pence, onChange, onEnter }: KeypadProps): ReactNode => {
  const latest = useRef({ pence, onChange, onEnter });
  latest.current = { pence, onChange, onEnter };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isWithin(event, 'input:not([type=radio]), textarea, select, [role=dialog]')) return;
      const key = keyOf(event.key);
      if (key) latest.current.onChange(enterAmount(latest.current.pence, key));
      else if (event.key === 'Enter' && !isWithin(event, 'button, a, input'))
        latest.current.onEnter();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <fieldset className={classes.keypad}>
      <legend className="unseen">Amount</legend>
      <output className={classes.amount} aria-label="Amount" aria-live="polite">
        {writePoundsFromPence(pence)}
      </output>
      <div className={classes.keys}>
        {keys.map((key) => (
          <button
            key={key}
            type="button"
            className={classes.key}
            aria-label={key === 'back' ? 'Delete the last digit' : undefined}
            onClick={() => onChange(enterAmount(pence, key))}
          >
            {key === 'back' ? '⌫' : key}
          </button>
        ))}
      </div>
    </fieldset>
  );
};

/** With Control and the like a key is the browser's. */
const isWithin = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent, selector: string): boolean =>
  ctrlKey || metaKey || altKey || (target instanceof Element && target.closest(selector) !== null);
