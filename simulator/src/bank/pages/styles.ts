import type { BankProfile } from '../banks.ts';

export const bankStyles = (bank: BankProfile): string =>
  `:root { --bank: ${bank.colour}; }\n${styles}`;

export const styles = `
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; background: #f3f4f6; color: #1b1f24;
  font: 17px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
.simulation {
  margin: 0; padding: 8px 16px; background: #ffe08a; color: #3b2c00; text-align: center;
  font-size: 15px;
}
.masthead {
  display: flex; align-items: center; justify-content: center; gap: 12px;
  padding: 22px 16px 78px; background: var(--bank, #27303f); color: #fff;
}
.monogram {
  display: grid; place-items: center; width: 42px; height: 42px; border-radius: 12px;
  background: #fff; color: var(--bank, #27303f); font-weight: 700; font-size: 22px;
}
.bank-name { font-weight: 600; font-size: 20px; }
.card {
  width: min(460px, calc(100% - 24px)); margin: -54px auto 0; padding: 28px; background: #fff;
  border-radius: 16px; box-shadow: 0 1px 2px #0000001a, 0 10px 30px #0000001f;
}
.card.wide { width: min(860px, calc(100% - 24px)); }
h1 { margin: 0 0 8px; font-size: 25px; line-height: 1.25; }
h2 { margin: 28px 0 8px; font-size: 19px; }
p { margin: 0 0 16px; }
label { display: block; margin-top: 16px; font-weight: 600; }
input[type="text"], input[type="password"] {
  width: 100%; height: 48px; margin-top: 6px; padding: 0 12px; font: inherit; color: inherit;
  background: #fff; border: 1px solid #767d89; border-radius: 10px;
}
.hint { margin: 4px 0 0; color: #4b5563; font-size: 15px; }
button {
  display: block; width: 100%; min-height: 50px; margin-top: 14px; padding: 8px 16px;
  border-radius: 10px; font: inherit; font-weight: 600; cursor: pointer;
}
form > button.primary { margin-top: 24px; }
form > button.primary + button.secondary { margin-top: 12px; }
.primary { border: 0; background: var(--bank, #27303f); color: #fff; }
.primary:hover { filter: brightness(1.12); }
.secondary { border: 1px solid #767d89; background: #fff; color: #1b1f24; }
.secondary:hover { background: #f3f4f6; }
:focus-visible { outline: 3px solid #ffbf47; outline-offset: 2px; box-shadow: 0 0 0 2px #1b1f24; }
.amount { margin: 12px 0 16px; font-size: 40px; line-height: 1.1; font-weight: 700; }
.facts { margin: 0; border-top: 1px solid #e1e4e9; }
.facts div {
  display: flex; justify-content: space-between; gap: 16px; padding: 10px 0;
  border-bottom: 1px solid #e1e4e9;
}
.facts dt { color: #4b5563; }
.facts dd { margin: 0; text-align: right; font-weight: 600; overflow-wrap: anywhere; }
fieldset { margin: 22px 0 0; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
.choice {
  display: flex; align-items: center; gap: 12px; margin-top: 10px; padding: 12px 14px;
  border: 1px solid #b3b9c4; border-radius: 12px; font-weight: 400; cursor: pointer;
}
.choice:has(input:checked) { border-color: var(--bank); box-shadow: inset 0 0 0 1px var(--bank); }
.choice input { width: 20px; height: 20px; margin: 0; accent-color: var(--bank); flex: none; }
.choice-name { flex: 1; font-weight: 600; }
.choice-name small { display: block; color: #4b5563; font-weight: 400; font-size: 15px; }
.choice-balance { font-variant-numeric: tabular-nums; white-space: nowrap; }
details { margin-top: 28px; padding-top: 18px; border-top: 1px solid #e1e4e9; }
summary { font-weight: 600; cursor: pointer; }
.magic { margin: 12px 0; font-size: 15px; }
.magic div { padding: 8px 0; border-bottom: 1px solid #eef0f3; }
.magic dt code { font-weight: 600; }
.magic dd { margin: 2px 0 0; color: #4b5563; }
code {
  padding: 1px 6px; border-radius: 6px; background: #eef0f3; color: #1b1f24;
  font: 14px/1.4 ui-monospace, "Liberation Mono", monospace; overflow-wrap: anywhere;
}
.detail { color: #4b5563; font-size: 15px; overflow-wrap: anywhere; }
.foot { padding: 22px 16px 40px; color: #4b5563; font-size: 15px; text-align: center; }
@media (max-width: 420px) { .card { padding: 22px 18px; } .amount { font-size: 34px; } }
`;
