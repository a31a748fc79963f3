import { styles as bankStyles } from '#simulator/bank/pages/styles.ts';

export const cardStyles = `:root { --bank: #3a2f7d; }
.issuer { --bank: #0f5c5c; }
${bankStyles}
.lines { margin: 0 0 20px; padding: 0; list-style: none; color: #4b5563; }
.lines li { display: flex; justify-content: space-between; gap: 16px; }
.amount { margin-bottom: 8px; }
.row { display: grid; grid-template-columns: 1fr 1fr; gap: 0 14px; }
.mistake { margin: 4px 0 0; color: #a11212; font-size: 15px; font-weight: 600; }
input[aria-invalid="true"] { border: 2px solid #a11212; }
.alert {
  margin: 0 0 18px; padding: 12px 14px; border-left: 5px solid #a11212; border-radius: 8px;
  background: #fdecec; color: #5c0a0a;
}
.consent { margin: 18px 0 0; color: #4b5563; font-size: 15px; }
.tick { display: flex; gap: 12px; align-items: flex-start; font-weight: 400; }
.tick input { width: 20px; height: 20px; margin: 2px 0 0; accent-color: var(--bank); flex: none; }
.or { display: flex; align-items: center; gap: 12px; margin: 26px 0 4px; color: #4b5563; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid #d5d9e0; }
.wallet { background: #111; border-color: #111; color: #fff; }
.back { display: inline-block; margin-top: 20px; color: var(--bank); }
.digits { font-variant-numeric: tabular-nums; letter-spacing: 0.03em; }
.magic code { white-space: nowrap; }
.magic div { display: grid; grid-template-columns: 178px 1fr; gap: 4px 14px; }
.magic dd { margin: 0; }
.magic small { display: block; font-size: 13px; }
.quiet { border: 0; background: none; color: #4b5563; text-decoration: underline; font-weight: 400; }
.framed { min-height: 0; background: none; }
.framed .masthead, .framed .foot { display: none; }
.framed .card { width: 100%; margin: 0; padding: 16px 4px; border-radius: 0; box-shadow: none; }
.framed .order { display: none; }
@media (max-width: 420px) { .magic div { grid-template-columns: 1fr; } }
`;
