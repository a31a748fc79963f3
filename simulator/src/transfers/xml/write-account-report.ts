import { type Html, html as xml } from '#simulator/bank/pages/html.ts';
import type { Account, BookedEntry, NamedAccount } from '../model.ts';
import { poundsOf, writeDocument } from './write-document.ts';

export type AccountReport = {
  readonly messageId: string;
  readonly createdAt: Date;
  readonly account: Account;
  readonly balancePence: bigint;
  readonly entries: readonly BookedEntry[];
};

export const writeAccountReport = (report: AccountReport): string => {
  const { messageId, account, balancePence, entries } = report;
  const at = report.createdAt.toISOString();
  const size = balancePence < 0n ? -balancePence : balancePence;
  return writeDocument(
    'camt.052.001.08',
    xml`<BkToCstmrAcctRpt>
  <GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>${at}</CreDtTm></GrpHdr>
  <Rpt>
    <Id>${messageId}</Id>
    <CreDtTm>${at}</CreDtTm>
    <Acct>${accountId(account)}<Ccy>GBP</Ccy><Svcr>${agent(account)}</Svcr></Acct>
    <Bal>
      <Tp><CdOrPrtry><Cd>ITBD</Cd></CdOrPrtry></Tp>
      <Amt Ccy="GBP">${poundsOf(size)}</Amt>
      <CdtDbtInd>${balancePence < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>
      <Dt><DtTm>${at}</DtTm></Dt>
    </Bal>
    ${entries.map(entryElement)}
  </Rpt>
</BkToCstmrAcctRpt>`,
  );
};

const entryElement = (entry: BookedEntry): Html => {
  const at = new Date(entry.statedAt).toISOString();
  const reference = `SIM${entry.id.toString().padStart(12, '0')}`;
  return xml`<Ntry>
      <NtryRef>${reference}</NtryRef>
      <Amt Ccy="GBP">${poundsOf(entry.amountPence)}</Amt>
      <CdtDbtInd>${entry.direction}</CdtDbtInd>
      ${entry.kind === 'reversal' ? xml`<RvslInd>true</RvslInd>` : undefined}
      <Sts><Cd>BOOK</Cd></Sts>
      <BookgDt><DtTm>${at}</DtTm></BookgDt>
      <ValDt><DtTm>${at}</DtTm></ValDt>
      <AcctSvcrRef>${reference}</AcctSvcrRef>
      ${transactionCode(entry)}
      <NtryDtls>${details(entry)}</NtryDtls>
    </Ntry>`;
};

// Received or issued credit transfer, domestic.
const transactionCode = ({ direction }: BookedEntry): Html => {
  const family = direction === 'CRDT' ? 'RCDT' : 'ICDT';
  return xml`<BkTxCd><Domn><Cd>PMNT</Cd>
        <Fmly><Cd>${family}</Cd><SubFmlyCd>DMCT</SubFmlyCd></Fmly>
      </Domn></BkTxCd>`;
};

const details = (entry: BookedEntry): Html => {
  const { counterparty, direction, reason } = entry;
  const endToEndId = entry.showsId ? entry.endToEndId : undefined;
  const sides = direction === 'CRDT' ? debtorSide(counterparty) : creditorSide(counterparty);
  const returned = reason !== undefined && xml`<RtrInf><Rsn><Cd>${reason}</Cd></Rsn></RtrInf>`;
  return xml`<TxDtls>
        <Refs><EndToEndId>${endToEndId ?? 'NOTPROVIDED'}</EndToEndId></Refs>
        ${sides}
        <RmtInf><Ustrd>${entry.reference || 'NONE'}</Ustrd></RmtInf>
        ${returned || undefined}
      </TxDtls>`;
};

const debtorSide = (party: NamedAccount): Html => xml`<RltdPties>
          <Dbtr>${named(party)}</Dbtr><DbtrAcct>${accountId(party)}</DbtrAcct>
        </RltdPties>
        <RltdAgts><DbtrAgt>${agent(party)}</DbtrAgt></RltdAgts>`;

const creditorSide = (party: NamedAccount): Html => xml`<RltdPties>
          <Cdtr>${named(party)}</Cdtr><CdtrAcct>${accountId(party)}</CdtrAcct>
        </RltdPties>
        <RltdAgts><CdtrAgt>${agent(party)}</CdtrAgt></RltdAgts>`;

const named = ({ name }: NamedAccount): Html =>
  xml`<Pty><Nm>${name.slice(0, 140) || 'UNKNOWN'}</Nm></Pty>`;

const accountId = ({ accountNumber }: Account): Html =>
  xml`<Id><Othr><Id>${accountNumber}</Id><SchmeNm><Cd>BBAN</Cd></SchmeNm></Othr></Id>`;

const agent = ({ sortCode }: Account): Html => xml`<FinInstnId><ClrSysMmbId>
        <ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>${sortCode}</MmbId>
      </ClrSysMmbId></FinInstnId>`;
