-- The signatures of the first interface cover ids only. Switched on, they are added to the way back in
-- every state, for plug-ins that refuse an address without them.
alter table merchant_switch add column signs_every_return boolean not null default false;
