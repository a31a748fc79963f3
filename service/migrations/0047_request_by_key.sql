-- No statement lists requests by time any more: search reads transaction_item. While a table has no
-- statistics yet, a request was found by this index as gladly as by its key, through all of its merchant's.
drop index payment_request_newest;
