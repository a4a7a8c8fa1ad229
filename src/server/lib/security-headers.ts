/**
 * Task content is untrusted, so pages may run and load only what the service itself serves. The
 * pages of the web app have a `nonce` for their inline styles, and may load images from elsewhere.
 */
export function securityHeaders(nonce?: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      nonce ? `style-src 'self' 'nonce-${nonce}'` : "style-src 'self'",
      "worker-src 'self'",
      // The web app loads an external image only after a person has clicked.
      nonce ? "img-src 'self' data: https:" : "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "object-src 'none'",
      "require-trusted-types-for 'script'",
      // The policies of the form worker's script and of the HTML of emails, which is shown in a
      // sandboxed frame.
      'trusted-types handrail-worker handrail-mail',
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  }
}
