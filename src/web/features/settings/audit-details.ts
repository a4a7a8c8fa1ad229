const digests = /\b[0-9a-f]{64}\b/g

/**
 * "was member, is admin": the details as one line. Digests are shortened to 8 characters. The `to`
 * of an unassignment is left out: it is null, and the action already says "unassigned".
 */
export function describeDetails(details: Record<string, unknown>): string {
  return Object.entries(details)
    .filter(([name, value]) => name !== 'to' || value !== null)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : value === null ? 'none' : JSON.stringify(value)
      return `${detailLabel(name)} ${text.replace(digests, (digest) => `${digest.slice(0, 8)}…`)}`
    })
    .join(', ')
}

/** "actionId" becomes "action", "retentionDays" becomes "retention days". */
function detailLabel(name: string): string {
  return name.replace(/(Sha256|Id)$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
