-- A customer who is deleted here is deleted at the card processor too, with the name and the address that
-- it was told, when no authorisation can be left to capture. Until then the reference is kept, as that of
-- a card which it is to let go of.
alter table card_detachment
  add column kind text not null default 'CARD' check (kind in ('CARD', 'CUSTOMER')),
  drop constraint card_detachment_outcome_check,
  add constraint card_detachment_outcome_check
    check (outcome in ('DETACHED', 'STILL_SAVED', 'DELETED'));
