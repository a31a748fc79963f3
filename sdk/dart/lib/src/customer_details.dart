/// Who pays, to preselect the bank that this customer used last. The server compares it with what the
/// merchant gave with the request, and tells nobody else.
final class CustomerDetails {
  const CustomerDetails({this.phoneCountryCode, this.phoneNumber, this.email});

  /// Digits only, at most five.
  final String? phoneCountryCode;

  /// Without the country code, digits only, at most fifteen.
  final String? phoneNumber;
  final String? email;

  bool get isEmpty => toJson().isEmpty;

  Map<String, Object?> toJson() => {
    if (_isGiven(phoneCountryCode)) 'phoneCountryCode': phoneCountryCode,
    if (_isGiven(phoneNumber)) 'phoneNumber': phoneNumber,
    if (_isGiven(email)) 'email': email,
  };

  /// What is wrong with it; null for nothing.
  String? get problem {
    if (_isGiven(phoneCountryCode) && !_countryCode.hasMatch(phoneCountryCode!)) {
      return 'phoneCountryCode must be one to five digits';
    }
    if (_isGiven(phoneNumber) && !_number.hasMatch(phoneNumber!)) {
      return 'phoneNumber must be one to fifteen digits, without the country code';
    }
    if (_isGiven(email) && !_email.hasMatch(email!)) return 'email must be an e-mail address';
    return null;
  }
}

bool _isGiven(String? text) => text != null && text.isNotEmpty;

final _countryCode = RegExp(r'^\d{1,5}$');
final _number = RegExp(r'^\d{1,15}$');
final _email = RegExp(r'^[^@\s]+@[^@\s]+\.[^@\s]+$');
