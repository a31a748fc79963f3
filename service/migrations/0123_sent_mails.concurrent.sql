create index concurrently if not exists mail_outbox_sent on mail_outbox (sent_at)
  where sent_at is not null;
create index concurrently if not exists card_detachment_done on card_detachment (done_at)
  where done_at is not null;
