import { banks } from '../banks.ts';
import { magicLogins } from '../magic-logins.ts';
import { html } from './html.ts';

export const welcomePage = (): string =>
  html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Simulated banks</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/simulator.css">
  </head>
  <body>
    <header>
      <p class="simulation"><strong>Simulation.</strong> None of this is a bank.</p>
      <div class="masthead"><span class="bank-name">Simulated banks</span></div>
    </header>
    <main class="card wide">
      <h1>Ten banks that do not exist</h1>
      <p>They speak the UK Open Banking standard over real HTTP, for the Florin sandbox.</p>
      <dl class="facts">
        ${banks.map(
          (bank) => html`<div><dt>${bank.name} <code>${bank.id}</code></dt>
            <dd>${bank.kind}, up to £${(bank.limitPence / 100n).toLocaleString('en-GB')}</dd></div>`,
        )}
      </dl>
      <h2>Usernames and what they do</h2>
      <dl class="magic">
        ${magicLogins.map(
          (entry) => html`<div><dt><code>${entry.name}</code></dt><dd>${entry.does}</dd></div>`,
        )}
      </dl>
    </main>
    <footer class="foot">Any other username behaves like the first one.</footer>
  </body>
</html>`.html;
