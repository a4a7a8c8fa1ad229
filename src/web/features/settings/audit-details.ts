const digests = /\b[0-9a-f]{64}\b/g

/** "role admin, was member": short facts, one after the other. Of a digest the beginning is enough to tell it apart. */
export function detailsOf(details: Record<string, unknown>): string {
  return Object.entries(details)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `${name.replace(/Sha256$/, '')} ${text.replace(digests, (digest) => `${digest.slice(0, 8)}…`)}`
    })
    .join(', ')
}
