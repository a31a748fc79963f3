import type { PageFrame, SandboxScenario } from '@florin/contract';
import { type Html, html } from '../../html/html.ts';
import { listAddressFields } from '../../html/pay-address.ts';
import type { Words } from '../../language/words.ts';
import { icons } from '../icons.ts';
import { hiddenFields } from '../timer.ts';

/**
 * The outcome at the simulated bank, by one press and without a script: the page reloads with the
 * choice, and the bank's login is filled in with it.
 */
export const scenarioPicker = (frame: PageFrame, words: Words, here: string): Html | null => {
  const scenarios = frame.scenarios ?? [];
  const chosen = scenarios.find(({ input }) => input === frame.scenario) ?? scenarios[0];
  if (!chosen) return null;
  return html`
    <details class="scenarios">
      <summary>
        <span>
          <span class="unseen">${words.say('scenariosTitle')}:</span>
          <code>${chosen.input}</code>
        </span>
        ${icons.more}
      </summary>
      <form method="get" action="/pay" lang="en" dir="ltr">
        ${hiddenFields(listAddressFields(here))}
        <ul>${scenarios.map((each) => choice(each, each === chosen))}</ul>
      </form>
    </details>
  `;
};

const choice = ({ input, outcome }: SandboxScenario, isChosen: boolean): Html =>
  html`
    <li>
      <button name="scenario" value="${input}"${isChosen && html` aria-current="true"`}>
        <code>${input}</code> <span>${outcome}</span>
      </button>
    </li>
  `;
