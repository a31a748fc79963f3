const wrap = (namespace: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${namespace}">${content}</Document>`;

const header = '<GrpHdr><MsgId>BANK-1</MsgId><CreDtTm>2026-11-22T07:00:00Z</CreDtTm></GrpHdr>';

type Status = {
  readonly status?: string;
  readonly reason?: string;
  readonly group?: string;
  readonly groupReason?: string;
};

const reasonOf = (code: string | undefined): string =>
  code === undefined ? '' : `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`;

/** A pain.002 as another bank than the simulated one would write it. */
export const statusReport = ({ status, reason, group, groupReason }: Status): string => {
  const groupStatus = group ? `<GrpSts>${group}</GrpSts>${reasonOf(groupReason)}` : '';
  const transfer = status
    ? `<OrgnlPmtInfAndSts><OrgnlPmtInfId>MSG-1</OrgnlPmtInfId><TxInfAndSts><OrgnlEndToEndId>E1</OrgnlEndToEndId><TxSts>${status}</TxSts>${reasonOf(reason)}</TxInfAndSts></OrgnlPmtInfAndSts>`
    : '';
  return wrap(
    'pain.002.001.10',
    `<CstmrPmtStsRpt>${header}<OrgnlGrpInfAndSts><OrgnlMsgId>MSG-1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${groupStatus}</OrgnlGrpInfAndSts>${transfer}</CstmrPmtStsRpt>`,
  );
};

type Entry = {
  readonly endToEndId?: string;
  readonly amount?: string;
  readonly name?: string;
  readonly returned?: string;
  readonly parts?: readonly { readonly endToEndId: string; readonly amount: string }[];
};

const agent = (sortCode: string): string =>
  `<FinInstnId><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>${sortCode}</MmbId></ClrSysMmbId></FinInstnId>`;

export const entry = (facts: Entry): string => {
  const { endToEndId = 'E1', amount = '10.00', name = 'Ada Ashdown', returned, parts } = facts;
  const escaped = name.replaceAll('&', '&amp;');
  const details = parts
    ? parts.map(
        (part) =>
          `<TxDtls><Refs><EndToEndId>${part.endToEndId}</EndToEndId></Refs><Amt Ccy="GBP">${part.amount}</Amt></TxDtls>`,
      )
    : [
        `<TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId></Refs><RltdPties><Dbtr><Pty><Nm>${escaped}</Nm></Pty></Dbtr><DbtrAcct><Id><Othr><Id>12345678</Id></Othr></Id></DbtrAcct></RltdPties><RltdAgts><DbtrAgt>${agent('001002')}</DbtrAgt></RltdAgts><RmtInf><Ustrd>ORDER 7</Ustrd></RmtInf>${
          returned ? `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>` : ''
        }</TxDtls>`,
      ];
  return `<Ntry><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-11-22T06:59:00Z</DtTm></BookgDt><AcctSvcrRef>R1</AcctSvcrRef><BkTxCd/><NtryDtls>${details.join('')}</NtryDtls></Ntry>`;
};

/** A camt.052 of the collecting account, overdrawn by fifty pounds. */
export const accountReport = (...entries: readonly string[]): string =>
  wrap(
    'camt.052.001.08',
    `<BkToCstmrAcctRpt>${header}<Rpt><Id>BANK-1</Id><Acct><Id><Othr><Id>00000190</Id></Othr></Id><Ccy>GBP</Ccy><Svcr>${agent('180002')}</Svcr></Acct><Bal><Tp><CdOrPrtry><Cd>ITBD</Cd></CdOrPrtry></Tp><Amt Ccy="GBP">50.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Dt><Dt>2026-11-22</Dt></Dt></Bal>${entries.join('')}</Rpt></BkToCstmrAcctRpt>`,
  );
