const digest = /^[0-9a-f]{64}$/

/** "role admin, was member": short facts, one after the other. */
export function detailsOf(details: Record<string, unknown>): string {
  return Object.entries(details)
    .map(([name, value]) => fact(name, typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ')
}

/** Of a digest the beginning is enough to tell it apart. */
function fact(name: string, value: string): string {
  return digest.test(value) ? `${name.replace(/Sha256$/, '')} ${value.slice(0, 8)}…` : `${name} ${value}`
}
