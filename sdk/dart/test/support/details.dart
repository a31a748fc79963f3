const requestId = 'b8a1c0de-0000-4000-8000-000000000001';

/// An answer of the server, with the least that it holds.
Map<String, Object?> detailsOf(String status, {Map<String, Object?> more = const {}}) => {
  'applicationUserId': 'u',
  'paidAmount': 12.5,
  'currency': 'GBP',
  'status': status,
  'createdAt': '2026-11-20T10:00:00.000Z',
  'paymentIdempotencyId': '01JD0XAMPLE0',
  'paymentRequestId': requestId,
  'orderId': 'o-7',
  'merchantId': 'm',
  'merchantName': 'Corner Coffee',
  'paymentRequest': {
    'payee': {'name': 'Corner Coffee', 'accountIdentifications': <Object?>[]},
  },
  'storeDetails': {'id': 's', 'address': '', 'locationName': ''},
  'redirectUrlParams': {'basket': 'b-1'},
  ...more,
};
