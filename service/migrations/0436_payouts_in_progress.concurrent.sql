create index concurrently payout_in_progress on payout (updated_at) where status = 'PROCESSING';
