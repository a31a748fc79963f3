/** What the commands about a merchant take. */
export const merchantUse = `Use: npm run merchant -- <merchantId> <sandbox|production> <what>

  signing-secret [overlapHours=24]           make the webhook signing secret, or the next one
  next-signing-secret                        stage the next one: it signs X-Service-Signature-Next
  promote-signing-secret [overlapHours=24]   let the staged one sign
  webhooks                                   show the webhook endpoints and whether they are paused
  pause-webhook <id>, resume-webhook <id>    what was missed can be replayed afterwards
  switches [refundsEnabled=true …]           show the switches, after changing those that are named
  suspend "<reason>", resume                 nothing new starts until it is resumed; members read the reason
  tips '{"enabled":true,"tipType":"PERCENTAGE","options":[10,15,20],"allowCustom":true}'
  amount-parts taxPercentage=20 servicePercentage=12.5
                                             say what requested amounts include from now on
  payout-settings [settlementPeriod=DAILY cutOff='"17:00"' feeFixed=0.2 feeBasisPoints=50]
                                             when payouts are closed (DAILY, WEEKLY, MONTHLY), and
                                             the fee for each payment by bank
  export <payouts|payout-matches|payments> <from> <to> [csv|json]
                                             write those of these days (YYYY-MM-DD, in London)
  secrets                                    show the access secrets
  create-secret '{"name":"Shop","redirectUrl":"https://…","webOrigins":["https://…"],
                  "scope":"READ_WRITE","expiresAt":"2027-01-01T00:00:00Z"}'
  revoke-secret <id>                         at once here, within seconds at every server
  settings [paymentLimit=5000 ownerEmail=… completedAtSettlement=true businessName="…"
            categoryCode='"5499"' accentColour=#7a3e1d avatarUrl=https://…
            supportEmail=… supportPhone='+44 20 7946 0000' supportUrl=https://…]
                                             show or change limit, owner, strict settlement, branding and
                                             contact for payers; null takes owner, colour, logo or
                                             contact away
  logo <file.svg|file.png>|none              show it on the hosted page, or the letters of the name
  stores                                     show the stores
  create-store '{"locationName":"…","bankAccount":{"sortCode":"…","accountNumber":"…","name":"…"}}'`;
