import { type MerchantCommands, Misuse } from '#platform/command.ts';
import { exported, exportRows } from './export-rows.ts';
import { readFormat, readPeriod, writeExport } from './write-export.ts';

export const merchantCommands: MerchantCommands = {
  use: `
  export <payouts|payout-matches|payments> <from> <to> [csv|json]
                                             write those of these days (YYYY-MM-DD, in London)`,
  run: {
    /** Written as it is read: an export may be larger than memory. */
    export: async (tools, tenant, [given = '', fromDate, toDate, word]) => {
      const what = exported.find((each) => each === given);
      if (!what) throw new Misuse();
      const [period, format] = [readPeriod({ fromDate, toDate }), readFormat(word)];
      for await (const piece of writeExport(exportRows(tools, tenant, what, period), format))
        await tools.write(piece);
      return '';
    },
  },
};
