/** Reads a value that the service writes into the page. The dev server leaves the placeholder. */
function fromPage(name: string): string {
  const value = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
  return value.startsWith('__') ? '' : value
}

/** '' or '/some/path': the prefix of all URLs of the service. */
export const basePath = fromPage('base-path').replace(/\/+$/, '')
export const cspNonce = fromPage('csp-nonce')
