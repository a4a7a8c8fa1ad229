/** Values that the server writes into the page. With the dev server they are still the placeholders. */
function fromPage(name: string): string {
  const value = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
  return value.startsWith('__') ? '' : value
}

/** '' or '/some/path': everything the service has lies beneath it. */
export const basePath = fromPage('base-path').replace(/\/+$/, '')
export const cspNonce = fromPage('csp-nonce')
