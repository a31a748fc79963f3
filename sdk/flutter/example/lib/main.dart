import 'dart:convert';
import 'dart:io';

import 'package:florin/florin.dart';
import 'package:flutter/material.dart';

/// The Florin server, and the shop's own backend, which has the secret and requests the payment.
const florinServer = String.fromEnvironment('FLORIN_SERVER', defaultValue: 'http://10.0.2.2:3000');
const shopServer = String.fromEnvironment('SHOP_SERVER', defaultValue: 'http://10.0.2.2:4000');

void main() {
  Florin.configure(server: Uri.parse(florinServer));
  runApp(
    MaterialApp(title: 'Florin example', home: ShopPage(shop: Uri.parse(shopServer))),
  );
}

class ShopPage extends StatefulWidget {
  const ShopPage({super.key, required this.shop});

  final Uri shop;

  @override
  State<ShopPage> createState() => _ShopPageState();
}

class _ShopPageState extends State<ShopPage> {
  String _said = '';

  Future<void> _pay() async {
    final paymentId = await _requestPayment();
    if (!mounted) return;
    final details = await Florin.pay(
      context,
      env: Env.sandbox,
      paymentId: paymentId,
      showHowPaymentWorks: true,
      customerDetails: const CustomerDetails(email: 'ada@example.com'),
      onError: (error) => _say(error.message),
      onPaymentStatusChange:
          ({required status, redirectUrlParams, signature, signatureHash}) => _say(status.wire),
      onUserClose:
          ({required paymentRequestId, redirectUrlParams, signature, signatureHash}) =>
              _say('Closed while the bank was asked'),
    );
    if (!mounted) return;
    // The shop's server delivers when it has read the status itself.
    _say((details?.isCompleted ?? false) ? 'Paid' : 'Not paid');
  }

  Future<String> _requestPayment() async {
    final client = HttpClient();
    try {
      final request = await client.postUrl(widget.shop.resolve('/payments'));
      final response = await request.close();
      final json = jsonDecode(await utf8.decodeStream(response)) as Map<String, Object?>;
      return json['paymentRequestId']! as String;
    } finally {
      client.close();
    }
  }

  void _say(String text) => setState(() => _said = text);

  @override
  Widget build(BuildContext context) => Scaffold(
    appBar: AppBar(title: const Text('Corner Coffee')),
    body: Center(
      child: Column(
        children: [
          FilledButton(onPressed: _pay, child: const Text('Pay £12.50')),
          Text(_said),
        ],
      ),
    ),
  );
}
