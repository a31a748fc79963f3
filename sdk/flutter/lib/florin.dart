/// Takes a payment in a Flutter app: see [Florin.pay].
library;

export 'package:florin_core/florin_core.dart'
    show
        CustomerDetails,
        Env,
        MerchantRedirect,
        OnError,
        OnPaymentStatusChange,
        OnUserClose,
        PayErrorType,
        PayException,
        RefundDetail,
        StatusDetails,
        StoreDetails,
        TransactionDetails,
        TransactionStatus;

export 'src/florin.dart';
