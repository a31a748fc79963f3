import { type Html, html } from '../../html/html.ts';
import { inkOn, plainHex } from '../../style/contrast.ts';

const plainColour = '27324a';

/**
 * Two letters on a bank's or merchant's colour. Presentation attributes of SVG are not inline
 * style, so the colour needs no style sheet of its own under the content security policy.
 */
export const monogram = (name: string, colour: string | null): Html => {
  const hex = plainHex(colour) ?? plainColour;
  return html`
    <svg class="monogram" viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      <rect width="40" height="40" rx="12" fill="#${hex}"/>
      <text x="20" y="20.5" fill="#${inkOn(hex)}" text-anchor="middle" dominant-baseline="central">
        ${letters(name)}
      </text>
    </svg>
  `;
};

const letters = (name: string): string => {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const [first = '', second = ''] = words;
  const pair =
    second === ''
      ? [...first].slice(0, 2).join('')
      : `${[...first][0] ?? ''}${[...second][0] ?? ''}`;
  return pair.toUpperCase();
};
