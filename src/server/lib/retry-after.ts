/**
 * The seconds of a Retry-After header, which is a number or an HTTP date. Undefined if it is
 * missing, invalid or not in the future.
 */
export function readRetryAfter(header: string | null | undefined): number | undefined {
  if (!header) return undefined
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined
}
