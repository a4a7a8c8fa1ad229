/** Nothing runs and nothing loads but what we serve: task content is hostile until shown otherwise. */
export function securityHeaders(nonce?: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      nonce ? `style-src 'self' 'nonce-${nonce}'` : "style-src 'self'",
      "worker-src 'self'",
      // A picture elsewhere exists only after a person has asked for it.
      nonce ? "img-src 'self' data: https:" : "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "object-src 'none'",
      "require-trusted-types-for 'script'",
      // The checker's own script, and HTML of mails on its way into a frame without rights. No other may be made.
      'trusted-types handrail-worker handrail-mail',
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  }
}
