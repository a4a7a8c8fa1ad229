/** autocannon has no types; these are the parts we use. */
declare module 'autocannon' {
  export default function autocannon(options: {
    url: string
    method: string
    headers: Record<string, string>
    body: string
    connections: number
    /** Seconds. */
    duration: number
    setupClient?(client: { setHeaders(headers: Record<string, string>): void }): void
    verifyBody?(body: unknown): boolean
  }): Promise<{
    errors: number
    timeouts: number
    non2xx: number
    mismatches: number
    '2xx': number
    duration: number
  }>
}
