const digest = /^[0-9a-f]{64}$/

/** "role admin, was member": short facts, one after the other. Of a digest its beginning tells enough apart. */
export function detailsOf(details: Record<string, unknown>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? shortened(value) : JSON.stringify(value)}`)
    .join(', ')
}

function shortened(text: string): string {
  return digest.test(text) ? `${text.slice(0, 12)}…` : text
}
